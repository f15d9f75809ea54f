import { createHash } from "node:crypto";

import type { ServiceContext } from "../context.ts";
import { refuseKey } from "./refusal.ts";

/** Who calls, by the API key of the call. */
export interface Caller {
  readonly apiKey: string;
  /** All keys of the same integrator, this one among them. */
  readonly ownKeys: ReadonlySet<string>;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The owner of a call's API key; undefined where the call carries none that is known. */
export function findCaller(context: Pick<ServiceContext, "keyRings">, headers: Headers): Caller | undefined {
  const apiKey = headers["x-api-key"];
  if (typeof apiKey !== "string") return undefined;
  const ownKeys = context.keyRings.find((keys) => keys.has(apiKey));
  return ownKeys === undefined ? undefined : { apiKey, ownKeys };
}

/**
 * The owner of a call's API key.
 *
 * @throws {@link RefusalError} when the call carries none that is known
 */
export function requireCaller(context: Pick<ServiceContext, "keyRings">, headers: Headers): Caller {
  const caller = findCaller(context, headers);
  if (caller === undefined) throw refuseKey();
  return caller;
}

/** What a request remembers of the key that it was quoted with: enough to find it again, never the key. */
export function hashApiKey(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex");
}

/** Whether a request was quoted with a key of this caller. */
export function isOwnRequest(caller: Caller | undefined, request: { readonly api_key_hash: string | null }): boolean {
  return caller !== undefined && [...caller.ownKeys].some((apiKey) => hashApiKey(apiKey) === request.api_key_hash);
}
