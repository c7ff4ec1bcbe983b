/**
 * In front of everything, in the data centre next to the guest: which harbour is this host name, how does it look,
 * and where does its service run?
 *
 * That is all the edge knows of a tenant. It is read on every request, changes a few times a year, and lies in D1
 * (SQLite replicated to the edge), because asking the one machine that holds the bookings cost a trip across Europe
 * before the first byte. Bookings never come here.
 */

/** What is used of a D1 binding; a test passes an object with the same two methods. */
export interface TenantDatabase {
  prepare(sql: string): { bind(...values: string[]): { first<T>(): Promise<T | null> } };
}

export interface Env {
  readonly TENANTS: TenantDatabase;
}

export interface Tenant {
  readonly slug: string;
  readonly name: string;
  /** Where the harbour's service answers, without a path. */
  readonly origin: string;
  /** A `Theme` of web/src/theme.ts as JSON, handed to the page as it is. */
  readonly theme: string;
}

/** A price or a colour that changed is seen everywhere within a minute. */
export const FRESH_MS = 60_000;

/** How long the last known row serves while D1 does not answer: a wrong colour is better than no harbour. */
export const STALE_MS = 24 * 60 * 60 * 1_000;

export const HARBOUR_HEADER = "x-harbour";

interface Entry {
  readonly tenant: Tenant | null;
  readonly readAtMs: number;
}

/** Host name to tenant, with the cache described above; `null` for a host that is nobody's. */
export function createLookup(now: () => number = Date.now) {
  const cache = new Map<string, Entry>();

  return async function lookup(db: TenantDatabase, host: string): Promise<Tenant | null> {
    const known = cache.get(host);
    if (known !== undefined && now() - known.readAtMs < FRESH_MS) return known.tenant;
    try {
      const tenant = await db
        .prepare("SELECT slug, name, origin, theme FROM tenants WHERE host = ?1")
        .bind(host)
        .first<Tenant>();
      // Unknown hosts are many and chosen by strangers: they must not fill the cache.
      if (tenant !== null || known !== undefined) cache.set(host, { tenant, readAtMs: now() });
      return tenant;
    } catch (error) {
      if (known !== undefined && now() - known.readAtMs < STALE_MS) return known.tenant;
      throw error;
    }
  };
}

/** The answer to a guest's request: the tenant's theme, or what its service says. */
export function createWorker(lookup = createLookup(), send: typeof fetch = (input, init) => fetch(input, init)) {
  return {
    async fetch(request: Request, env: Env): Promise<Response> {
      const url = new URL(request.url);
      let tenant: Tenant | null;
      try {
        tenant = await lookup(env.TENANTS, url.hostname.toLowerCase());
      } catch {
        return failure(503, "busy", "Please try again in a moment.", { "retry-after": "5" });
      }
      if (tenant === null) return failure(404, "unknownHarbour", "There is no harbour at this address.");
      if (url.pathname === "/theme.json") {
        const headers = { "content-type": "application/json", "cache-control": "public, max-age=60" };
        return new Response(tenant.theme, { headers });
      }
      return send(await forward(request, url, tenant));
    },
  };
}

/** The request as the service gets it: same path, with the harbour named by us and by nobody else. */
async function forward(request: Request, url: URL, tenant: Tenant): Promise<Request> {
  const target = new URL(tenant.origin);
  // Set part by part: a path that begins with two slashes, resolved against the origin, would name another host.
  target.pathname = url.pathname;
  target.search = url.search;
  const headers = new Headers(request.headers);
  headers.set(HARBOUR_HEADER, tenant.slug);
  // Read whole instead of passed on as a stream, because the service asks for a Content-Length.
  const body = request.body === null ? null : await request.arrayBuffer();
  return new Request(target, { method: request.method, headers, body, redirect: "manual" });
}

function failure(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}

export default createWorker();
