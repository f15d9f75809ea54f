import { InvalidInputError, InvalidStateError } from "@crosscall/protocol/core";
import { createServiceClient, type ServiceClient } from "@crosscall/sdk";
import { errorColors, writeNoticeOnce } from "../terminal/output.ts";
import { type QuoteVersionOptions, type ServiceOptions, toQuoteVersion } from "./commonOptions.ts";
import { isLocalUrl, readRemembered, type RememberedNetwork } from "./rememberedNetwork.ts";

// All commands find the service here: the URL from an option or the environment, or else this folder's network, with
// its keys and chains.

/** A service. Keys, the oracle and chains are known only for this folder's network. */
export interface FoundNetwork extends Omit<RememberedNetwork, "url" | "isStopped"> {
  /** Without a slash at the end. */
  readonly url: string;
  /** Whether it is the network that was last started in this folder. */
  readonly isOwn: boolean;
}

/**
 * Finds the service of a command: the given URL, or else this folder's network, which it names on standard error.
 * Returns undefined if there is neither, or this folder's network was stopped.
 */
export function findNetwork(given: string | undefined): FoundNetwork | undefined {
  const { url: own, isStopped = false, ...remembered } = readRemembered();
  // Shell scripts pass an empty value for an unset variable.
  if (given === undefined || given === "") {
    if (own === undefined || isStopped) return undefined;
    writeNoticeOnce(errorColors.dim(`Using the network of this folder at ${own}\n`));
    return { ...remembered, url: withoutSlash(own), isOwn: true };
  }
  const url = withoutSlash(given);
  return own !== undefined && isSameService(url, own)
    ? { ...remembered, url, isOwn: true }
    : { url, rpcUrls: {}, isOwn: false };
}

/**
 * @param option name of the option with the URL
 * @throws {@link InvalidInputError} if there is no URL, and no network was started in this folder
 * @throws {@link InvalidStateError} if it was stopped
 */
export function requireNetwork(given: string | undefined, option = "--api-url"): FoundNetwork {
  const found = findNetwork(given);
  if (found !== undefined) return found;
  const hint = `Start a local network with \`crosscall up\`, or pass the URL of a service with ${option} or in CROSSCALL_API_URL.`;
  if (readRemembered().isStopped === true) {
    throw new InvalidStateError({ message: "the network of this folder is not running", hint });
  }
  throw new InvalidInputError({
    field: option,
    value: undefined,
    reason: "the command requires a service, and no network was started in this folder",
    hint,
  });
}

/**
 * Creates a client for the service. An API key is sent only to the service, and never appears in output or errors.
 *
 * @param needsKey whether the endpoint rejects requests without an API key
 */
export function openService(
  { apiUrl, apiKey, ...options }: ServiceOptions & QuoteVersionOptions,
  { needsKey = false }: { readonly needsKey?: boolean } = {},
): ServiceClient {
  const { url, apiKey: ownKey } = requireNetwork(apiUrl);
  const key = chooseKey({ given: apiKey, own: ownKey, variable: "CROSSCALL_API_KEY", url: apiUrl });
  if (needsKey && key === undefined) {
    throw new InvalidInputError({
      field: "--api-key",
      value: undefined,
      reason: "GET /requests/v3 requires an API key",
      hint: "Pass --api-key, or set CROSSCALL_API_KEY. A local network accepts the key crosscall-local, unless it was started with other keys.",
    });
  }
  return createServiceClient({
    baseUrl: url,
    ...(key === undefined ? {} : { apiKey: key }),
    ...toQuoteVersion(options),
  });
}

/**
 * Returns the given endpoints, or else those of this folder's network for the chains, as `id=url`.
 *
 * @param chainIds defaults to all chains
 */
export function endpointsOf(
  given: readonly string[] | undefined,
  network: FoundNetwork | undefined,
  chainIds?: readonly number[],
): readonly string[] {
  if (given !== undefined && given.length > 0) return given;
  return Object.entries(network?.rpcUrls ?? {}).flatMap(([id, url]) =>
    chainIds === undefined || chainIds.includes(Number(id)) ? [`${id}=${url}`] : [],
  );
}

interface KeyChoice {
  readonly given: string | undefined;
  /** The stored key of this folder's network. */
  readonly own: string | undefined;
  /** Environment variable of the option. */
  readonly variable: string;
  /** The given URL of the service. */
  readonly url: string | undefined;
}

/**
 * Returns the given key, or that of this folder's network. If no URL is given, a key in the environment may be that of
 * another service, so the stored key takes precedence.
 */
export function chooseKey({ given, own, variable, url }: KeyChoice): string | undefined {
  const isOther = own !== undefined && !isGiven(url) && given === process.env[variable];
  return isGiven(given) && !isOther ? given : own;
}

function isSameService(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [a, b] = [new URL(one), new URL(other)];
  return a.origin === b.origin || (a.port === b.port && isLocalUrl(one) && isLocalUrl(other));
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/u, "");
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
