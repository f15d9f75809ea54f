import { getChains, listRequests, type ServiceClient } from "@crosscall/sdk";
import { compact, CrosscallError, ServiceError } from "@crosscall/protocol/core";
import { VM_TYPE_BY_CHAIN_ID } from "@crosscall/protocol/chains";
import type { ChainEntry } from "@crosscall/protocol/common";
import { isTrusted, type TrustedChain } from "@crosscall/sdk/kit";
import type { ServiceTrust } from "@crosscall/sdk/verify";
import { type EndpointGeneration, ENDPOINTS } from "@crosscall/protocol/generations";

import { countOf } from "../../terminal/output.ts";
import type { Check } from "./checkProject.ts";

/** A service can accept the connection without sending a response. */
const CLOCK_TIMEOUT_MS = 10_000;

/** Maximum clock difference. Deadlines and permits are computed with this machine's clock. */
const MAX_CLOCK_MS = 30_000;

interface ServiceFacts {
  readonly client: ServiceClient;
  /** Client for the same service without the API key, because requests with an invalid key fail. */
  readonly open: ServiceClient;
  readonly trust: ServiceTrust;
  /** Whether it runs on this machine. */
  readonly isLocal: boolean;
  readonly signal: AbortSignal;
  /** Returns the time in Unix milliseconds. */
  readonly now: () => number;
}

interface ServiceReport {
  readonly checks: readonly Check[];
  /** Ids of the service's chains; undefined if the service does not respond. */
  readonly listed?: readonly number[];
}

/** Checks the service, the API key, the clock, and the pinned addresses against the service's listing. */
export async function checkService({
  client,
  open,
  trust,
  isLocal,
  signal,
  now,
}: ServiceFacts): Promise<ServiceReport> {
  let all: readonly ChainEntry[];
  const startedAt = now();
  try {
    all = await getChains(open, { signal });
  } catch (error) {
    return { checks: [failed("it responds", error)] };
  }
  // A local network also lists chains that it only simulates.
  const chains = isLocal ? all.filter(({ id }) => (VM_TYPE_BY_CHAIN_ID.get(id ?? -1) ?? "evm") === "evm") : all;
  const simulated = all.length - chains.length;
  const responds: Check = {
    area: "service",
    name: "it responds",
    state: "ok",
    seen: `${countOf(chains.length, "chain")}${simulated === 0 ? "" : ` and ${simulated} simulated`} in ${now() - startedAt} ms`,
  };
  return {
    checks: [
      responds,
      await checkKey(client, signal),
      await checkClock(client, signal, now),
      await checkEndpoints(client.baseUrl, signal),
      ...checkTrust(chains, trust),
    ],
    listed: chains.flatMap(({ id }) => id ?? []),
  };
}

async function checkKey(client: ServiceClient, signal: AbortSignal): Promise<Check> {
  const what = { area: "service", name: "the API key is valid" } as const;
  if (client.apiKey === undefined) {
    const hint =
      "Pass --api-key, or set CROSSCALL_API_KEY: listings need a key, and quotes without one have low limits.";
    return { ...what, state: "skipped", seen: "no key", hint };
  }
  try {
    await listRequests(client, { limit: 1, signal });
    return { ...what, state: "ok", seen: "it lists requests" };
  } catch (error) {
    return failed(what.name, error);
  }
}

async function checkClock(client: ServiceClient, signal: AbortSignal, now: () => number): Promise<Check> {
  const what = { area: "service", name: "this machine's clock is correct" } as const;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(CLOCK_TIMEOUT_MS)]);
  const response = await fetch(`${client.baseUrl}/chains`, { method: "HEAD", signal: limited }).catch(() => undefined);
  signal.throwIfAborted();
  const time = Date.parse(response?.headers.get("date") ?? "");
  if (Number.isNaN(time)) return { ...what, state: "skipped", seen: "the service sends no date" };
  const offset = now() - time;
  if (Math.abs(offset) <= MAX_CLOCK_MS) return { ...what, state: "ok", seen: `within ${MAX_CLOCK_MS / 1_000} s` };
  const seen = `${Math.round(Math.abs(offset) / 1_000)} s ${offset > 0 ? "ahead" : "behind"}`;
  return { ...what, state: "failed", seen, hint: "Synchronize the clock: deadlines and permits depend on the clock." };
}

/** Compares each chain's pinned addresses with those that the service lists. */
function checkTrust(chains: readonly ChainEntry[], trust: ServiceTrust): readonly Check[] {
  const differences = chains.flatMap((chain) => {
    const pinned = trust[chain.id ?? -1];
    const unknown = pinned === undefined ? [] : unpinned(chain, pinned);
    return unknown.length === 0 ? [] : [`chain ${chain.id}: ${unknown.join(", ")}`];
  });
  const known = chains.filter(({ id }) => trust[id ?? -1] !== undefined).length;
  const what = { area: "service", name: "its addresses are pinned" } as const;
  const others = chains.length - known;
  const coverage: Check =
    others === 0
      ? { ...what, state: "ok", seen: `${known} chains` }
      : {
          ...what,
          state: "warning",
          seen: `${known} of ${chains.length} chains`,
          hint: "Quotes on unlisted chains are rejected: add the chains that you use with --trust.",
        };
  if (differences.length === 0) return [coverage];
  const hint = "Check the addresses against the service's documentation before you add them with --trust.";
  return [
    { ...what, state: "warning", seen: `different addresses are listed for ${differences.join("; ")}`, hint },
    coverage,
  ];
}

function unpinned({ contracts, protocol, solverAddresses }: ChainEntry, pinned: TrustedChain): readonly string[] {
  const { depositories, solvers, routers, spenders } = pinned;
  const listed: readonly (readonly [readonly string[] | undefined, readonly (string | null | undefined)[]])[] = [
    [depositories, [protocol?.v2?.depository]],
    [solvers, solverAddresses ?? []],
    [routers, [contracts?.erc20Router, ...pairsOf(contracts).map((pair) => pair.erc20Router)]],
    [spenders, [contracts?.approvalProxy, ...pairsOf(contracts).map((pair) => pair.approvalProxy)]],
  ];
  return listed.flatMap(([known, addresses]) =>
    addresses.filter((address): address is string => typeof address === "string" && !isTrusted(known, address)),
  );
}

/** Lists the contract pairs of each generation, including generations that this version does not know. */
function pairsOf(
  contracts: ChainEntry["contracts"],
): readonly { readonly erc20Router?: string; readonly approvalProxy?: string }[] {
  const readField = (pair: object, name: string): string | undefined => {
    const value: unknown = Reflect.get(pair, name);
    return typeof value === "string" ? value : undefined;
  };
  return Object.values(contracts ?? {}).flatMap((pair: unknown) =>
    typeof pair === "object" && pair !== null
      ? [compact({ erc20Router: readField(pair, "erc20Router"), approvalProxy: readField(pair, "approvalProxy") })]
      : [],
  );
}

function failed(name: string, error: unknown): Check {
  if (!(error instanceof CrosscallError)) throw error;
  const seen = error instanceof ServiceError ? `status ${error.status}` : error.message;
  return { area: "service", name, state: "failed", seen, hint: error.hint };
}

/** A service can accept the connection without sending a response. */
const TIMEOUT_MS = 10_000;

/**
 * Compares the dates of the service's deprecation headers (RFC 9745, RFC 8594) with the registry. Sends an empty
 * request to each endpoint, because every response has the headers.
 */
export async function checkEndpoints(baseUrl: string, signal: AbortSignal): Promise<Check> {
  const what = { area: "service", name: "the service's endpoints end on the known dates" } as const;
  const changes = await Promise.all(ENDPOINTS.map((endpoint) => readChange(baseUrl, endpoint, signal)));
  signal.throwIfAborted();
  const changed = changes.filter((change) => change !== undefined);
  if (changed.length === 0) return { ...what, state: "ok", seen: `${ENDPOINTS.length} endpoints` };
  const hint = "Read the service's changelog, and upgrade crosscall before the endpoint is retired.";
  return { ...what, state: "warning", seen: changed.join("; "), hint };
}

/**
 * Reads an endpoint's deprecation headers. Missing headers prove nothing, because a service can be older or newer than
 * the registry.
 */
async function readChange(
  baseUrl: string,
  { method, path, deprecatedSince, endsOn }: EndpointGeneration,
  signal: AbortSignal,
): Promise<string | undefined> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    ...(method === "POST" ? { headers: { "content-type": "application/json" }, body: "{}" } : {}),
  }).catch(() => undefined);
  await response?.body?.cancel();
  const sunset = Date.parse(response?.headers.get("sunset") ?? "");
  if (!Number.isNaN(sunset) && (endsOn === undefined || sunset !== Date.parse(endsOn))) {
    return `${method} ${path} ends on ${new Date(sunset).toISOString()}, not ${endsOn ?? "at a known time"}`;
  }
  const isDeprecated = response?.headers.has("deprecation") === true;
  return isDeprecated && deprecatedSince === undefined ? `${method} ${path} is deprecated` : undefined;
}
