import { abortable, TimedOutError, type Timer, withTimeLimit } from "@crosscall/protocol/core";
import { isObject, parseJson } from "@crosscall/protocol/schema";
import type { ServiceClient } from "../client.ts";
import { AccessTokenError } from "../errors.ts";

/** Documented lifetime, for tokens that do not state it. */
const LIFETIME_MS = 900_000;

/**
 * Time before its expiration at which a token is replaced. A token with a shorter lifetime is replaced after half of
 * that lifetime.
 */
const MARGIN_MS = 60_000;

interface HeldToken {
  readonly token: string;
  readonly freshUntilMs: number;
}

type TokenSource = NonNullable<ServiceClient["accessToken"]>;

/** Tokens by function, shared by all clients with the same function. Concurrent requests wait for the same token. */
const held = new WeakMap<TokenSource, Promise<HeldToken>>();

export interface CurrentToken {
  readonly token: string;
  /** Discards the token, so that the next request gets a new one. */
  forget(): void;
}

/**
 * Returns a token that outlives a request.
 *
 * @throws {@link AccessTokenError} when the function fails or returns no token
 * @throws {@link TimedOutError} when the function exceeds the timeout of a request
 * @throws {@link AbortedError} when the signal aborts
 */
export async function currentAccessToken(
  { timer, timeoutMs }: Pick<ServiceClient, "timeoutMs" | "timer">,
  source: TokenSource,
  signal: AbortSignal | undefined,
): Promise<CurrentToken> {
  const what = "accessToken";
  const hint = "Check that your backend responds, or increase the client's timeoutMs.";
  const onTimeout = (): TimedOutError => new TimedOutError({ what, timeoutMs, hint });
  return withTimeLimit({ timer, timeoutMs, onTimeout, signal }, async (limited) => {
    for (;;) {
      const known = held.get(source);
      const pending = known ?? requestToken(source, timer);
      const forget = (): void => {
        if (held.get(source) === pending) held.delete(source);
      };
      // A backend that does not respond must not block the next request.
      const { token, freshUntilMs } = await abortable(pending, limited, what).catch((error: unknown) => {
        forget();
        throw error;
      });
      if (known === undefined || timer.now() < freshUntilMs) return { token, forget };
      forget();
    }
  });
}

function requestToken(source: TokenSource, timer: Timer): Promise<HeldToken> {
  const pending = readToken(source, timer);
  held.set(source, pending);
  return pending;
}

async function readToken(source: TokenSource, timer: Timer): Promise<HeldToken> {
  let token: unknown;
  try {
    token = await source();
  } catch (cause) {
    throw new AccessTokenError({ reason: "it failed", cause });
  }
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/u.test(token)) {
    throw new AccessTokenError({ reason: "it returned no token that a header can contain" });
  }
  const lifetimeMs = lifetimeOf(token) ?? LIFETIME_MS;
  return { token, freshUntilMs: timer.now() + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 2) };
}

/**
 * Returns the lifetime of a JSON Web Token from its own times, because the clocks of the service and this machine can
 * differ.
 */
function lifetimeOf(token: string): number | undefined {
  const [, body = ""] = token.split(".");
  try {
    const claims = parseJson(atob(body.replaceAll("-", "+").replaceAll("_", "/")));
    if (!isObject(claims) || typeof claims.exp !== "number" || typeof claims.iat !== "number") return undefined;
    return Math.max(0, (claims.exp - claims.iat) * 1_000);
  } catch {
    return undefined;
  }
}
