import { abortable, TimedOutError, type Timer, withTimeLimit } from "@crosscall/protocol/core";
import { isObject, parseJson } from "@crosscall/protocol/schema";
import type { ServiceClient } from "../client.ts";
import { AccessTokenError } from "../errors.ts";

/** As documented by the service, for tokens that do not state it. */
const LIFETIME_MS = 900_000;

/** A token is replaced this long before its end, or at the half of a shorter life. */
const MARGIN_MS = 60_000;

interface HeldToken {
  readonly token: string;
  readonly freshUntilMs: number;
}

type TokenSource = NonNullable<ServiceClient["accessToken"]>;

/** Of all clients with the same function. Concurrent requests wait for the same token. */
const held = new WeakMap<TokenSource, Promise<HeldToken>>();

export interface CurrentToken {
  readonly token: string;
  /** Requests another token the next time. */
  forget(): void;
}

/**
 * The token to send now, which outlives a request.
 *
 * @throws {@link AccessTokenError} when the function fails, or returns something else
 * @throws {@link TimedOutError} when it takes longer than a request may
 * @throws {@link AbortedError} when the signal aborts
 */
export async function currentAccessToken(
  { timer, timeoutMs }: Pick<ServiceClient, "timeoutMs" | "timer">,
  source: TokenSource,
  signal: AbortSignal | undefined,
): Promise<CurrentToken> {
  const what = "accessToken";
  const hint = "Check that your backend responds, or give the client a longer timeoutMs.";
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
    throw new AccessTokenError({ reason: "it returned no token that can stand in a header" });
  }
  const lifetimeMs = lifetimeOf(token) ?? LIFETIME_MS;
  return { token, freshUntilMs: timer.now() + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 2) };
}

/** From a JSON Web Token, by its own times: the clocks of the service and of this machine may differ. */
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
