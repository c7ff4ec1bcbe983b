/**
 * The service's API, typed: one function a route, one error type, retries where they are safe.
 *
 * Answers are checked at run time, because the page in a guest's phone may be a release older than the service. A
 * hold is sent with an idempotency key that stays the same over its retries: a guest in a harbour with bad reception
 * must not end up with two berths.
 */

import { DEFAULT_POLICY, retryAfterMs, withRetry } from "./retry.ts";
import type { RetryOptions, RetryPolicy, Verdict } from "./retry.ts";
import type { SessionStore } from "./session.ts";

export interface Offer {
  readonly berthId: string;
  readonly name: string;
  readonly lengthCm: number;
  readonly priceCents: number;
}

export interface Booking {
  readonly id: string;
  readonly berthId: string;
  readonly arrive: string;
  readonly depart: string;
  readonly status: "held" | "confirmed" | "cancelled" | "expired";
  readonly priceCents: number;
  readonly expiresAt: string | null;
}

export interface StayQuery {
  readonly arrive: string;
  readonly depart: string;
  readonly lengthCm: number;
}

/** An answer that is an error; `code` is the service's and stable, `message` may be shown. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: number | undefined;

  constructor(status: number, code: string, message: string, retryAfter?: number) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly session: SessionStore;
  readonly fetch?: typeof fetch;
  readonly policy?: RetryPolicy;
  readonly sleep?: NonNullable<RetryOptions["sleep"]>;
}

export interface Client {
  searchBerths(query: StayQuery & { readonly draughtCm: number }, signal?: AbortSignal): Promise<Offer[]>;
  holdBerth(berthId: string, stay: StayQuery): Promise<Booking>;
  confirmBooking(id: string, guest: { readonly name: string; readonly mail: string }): Promise<Booking>;
  /** A new token in exchange for one that is still valid. */
  renewSession(): Promise<void>;
}

export function createClient(options: ClientOptions): Client {
  // Wrapped, because a browser's fetch must be called as a method of the window.
  const send = options.fetch ?? ((input: string | URL | Request, init?: RequestInit) => fetch(input, init));
  const retry: RetryOptions = {
    policy: options.policy ?? DEFAULT_POLICY,
    classify,
    ...(options.sleep === undefined ? {} : { sleep: options.sleep }),
  };

  async function call(method: string, path: string, init: RequestInit = {}): Promise<unknown> {
    const headers = new Headers(init.headers);
    const session = options.session.current();
    if (session !== null) headers.set("authorization", `Bearer ${session.token}`);
    if (init.body !== undefined) headers.set("content-type", "application/json");
    const response = await send(`${options.baseUrl}${path}`, { ...init, method, headers });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) return body;
    // One 401 for everything that is wrong with a token: whatever it was, only signing in again helps.
    if (response.status === 401) options.session.signOut();
    const error = isRecord(body) && isRecord(body.error) ? body.error : {};
    throw new ApiError(
      response.status,
      typeof error.code === "string" ? error.code : "unknown",
      typeof error.message === "string" ? error.message : "The harbour did not answer as expected.",
      retryAfterMs(response.headers.get("retry-after")),
    );
  }

  return {
    async searchBerths(query, signal) {
      const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      const init: RequestInit = signal === undefined ? {} : { signal };
      const again: RetryOptions = signal === undefined ? retry : { ...retry, signal };
      const body = await withRetry(() => call("GET", `/v1/berths?${text}`, init), again);
      if (!isRecord(body) || !Array.isArray(body.berths)) throw unexpected("berths");
      return body.berths.filter(isOffer);
    },
    async holdBerth(berthId, stay) {
      const headers = { "idempotency-key": crypto.randomUUID() };
      const body = JSON.stringify({ ...stay, berthId });
      return booking(await withRetry(() => call("POST", "/v1/bookings", { headers, body }), retry));
    },
    async confirmBooking(id, guest) {
      const path = `/v1/bookings/${encodeURIComponent(id)}/confirm`;
      // Confirming twice changes nothing, so it may be tried again without a key.
      return booking(await withRetry(() => call("POST", path, { body: JSON.stringify(guest) }), retry));
    },
    async renewSession() {
      const body = await call("POST", "/v1/session");
      if (!isRecord(body) || typeof body.token !== "string") throw unexpected("token");
      options.session.signIn(body.token);
    },
  };
}

/** No connection and "later, please" are worth another attempt; everything else will be the same again. */
export function classify(error: unknown): Verdict {
  if (error instanceof ApiError) {
    if (![429, 502, 503, 504].includes(error.status)) return { again: false };
    return error.retryAfter === undefined ? { again: true } : { again: true, afterMs: error.retryAfter };
  }
  return { again: error instanceof TypeError }; // what fetch throws when nothing answered
}

function booking(value: unknown): Booking {
  if (!isRecord(value) || typeof value.id !== "string" || typeof value.status !== "string") throw unexpected("booking");
  return value as unknown as Booking;
}

function isOffer(value: unknown): value is Offer {
  return isRecord(value) && typeof value.berthId === "string" && typeof value.priceCents === "number";
}

function unexpected(what: string): ApiError {
  return new ApiError(200, "unexpectedAnswer", `The answer has no ${what}: please reload the page.`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
