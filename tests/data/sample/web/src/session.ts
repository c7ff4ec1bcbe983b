/**
 * Who is signed in, in this tab: the token, when it runs out, and who wants to know when that changes.
 *
 * The token lies in sessionStorage and not in localStorage: the desk computer in a harbour office is shared, and
 * closing the tab has to sign out. The page cannot check the signature; it reads the expiry only to renew in time,
 * and the service decides.
 */

/** The part of `Storage` that is used, so that a test can pass a plain object. */
export interface TokenStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface Session {
  readonly token: string;
  readonly subject: string;
  readonly harbour: string;
  readonly role: "guest" | "staff";
  readonly expiresAtMs: number;
}

export type SessionListener = (session: Session | null) => void;

export interface SessionStore {
  current(): Session | null;
  /** True in the last part of a token's life: time to ask the service for a new one. */
  needsRenewal(): boolean;
  signIn(token: string): Session | null;
  signOut(): void;
  /** Calls back on every change until the returned function is called. */
  subscribe(listener: SessionListener): () => void;
}

export const STORAGE_KEY = "quayside.session";

/** Two hours of the token's 24: a shift that begins with a renewed token never sees the sign-in page. */
export const RENEW_BEFORE_MS = 2 * 60 * 60 * 1_000;

/** A store over `storage`; what lies there from before a reload is taken up again. */
export function createSessionStore(storage: TokenStorage, now: () => number = Date.now): SessionStore {
  const listeners = new Set<SessionListener>();
  const kept = storage.getItem(STORAGE_KEY);
  let session = kept === null ? null : readToken(kept);

  function change(next: Session | null): void {
    session = next;
    if (next === null) storage.removeItem(STORAGE_KEY);
    else storage.setItem(STORAGE_KEY, next.token);
    for (const listener of [...listeners]) listener(next);
  }

  function current(): Session | null {
    if (session !== null && session.expiresAtMs <= now()) change(null);
    return session;
  }

  return {
    current,
    needsRenewal() {
      const active = current();
      return active !== null && active.expiresAtMs - now() < RENEW_BEFORE_MS;
    },
    signIn(token) {
      const next = readToken(token);
      if (next !== null) change(next);
      return next;
    },
    signOut() {
      change(null);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** What a token says about itself, or null for a text that is none. */
export function readToken(token: string): Session | null {
  const payload = token.split(".")[1];
  if (payload === undefined) return null;
  let claims: unknown;
  try {
    claims = JSON.parse(decodeBase64Url(payload));
  } catch {
    return null;
  }
  if (typeof claims !== "object" || claims === null) return null;
  const { sub, aud, role, exp } = claims as Record<string, unknown>;
  if (typeof sub !== "string" || typeof aud !== "string" || typeof exp !== "number") return null;
  if (role !== "guest" && role !== "staff") return null;
  return { token, subject: sub, harbour: aud, role, expiresAtMs: exp * 1_000 };
}

function decodeBase64Url(text: string): string {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
