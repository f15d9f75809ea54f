import { isObject, parseJson } from "@crosscall/protocol/schema";
import { checkSample, type OracleCheck } from "./checkSample.ts";
import { keyHint, openOracleHttp, type OracleResponse, type OracleRequest, type OracleTarget } from "./oracleHttp.ts";

export interface CheckOracleParameters extends OracleTarget {
  /** Instruction for passing a key, for hints. */
  readonly passKey: string;
  /** Chains that the oracle should list; not checked by default. */
  readonly chains?: readonly string[];
  /** Expected signers; not checked by default. Without samples, one of them must be the oracle's. */
  readonly signers?: readonly string[];
  /** Requests that the oracle and its peers should sign. */
  readonly samples?: readonly OracleRequest[];
}

/**
 * Runs the operational checks. Bad responses are results, not exceptions. Skips metrics and readiness for oracles
 * without these endpoints, such as the public oracle.
 */
export async function checkOracle(parameters: CheckOracleParameters): Promise<readonly OracleCheck[]> {
  const { apiKey, passKey, samples = [] } = parameters;
  const signers = (parameters.signers ?? []).map((signer) => signer.toLowerCase());
  const http = openOracleHttp(parameters);
  const lives = await http.get("/lives/v1", false);
  const isUp = checkUp(lives);
  // Skips the other checks, because they would fail for the same reason.
  if (!isUp.isMet) return [isUp];
  const documentation = await http.get("/documentation", false);
  const chains = await http.get("/chains/v1");
  const ready = await http.get("/ready", false);
  const metrics = await http.get("/metrics");

  const results = [];
  for (const sample of samples) results.push(await checkSample({ http, apiKey, passKey, sample, signers }));
  const own = metrics.status === 404 ? results.find(({ signed }) => signed.length > 0)?.signed[0] : signerOf(metrics);

  const withHint = (check: OracleCheck, { status }: OracleResponse): OracleCheck => {
    const hint = keyHint(status, apiKey, passKey);
    return hint === undefined ? check : { ...check, hint };
  };
  const checks = [
    isUp,
    {
      name: "its documentation loads",
      isMet: documentation.status === 200,
      seen: describe("/documentation", documentation),
    },
    withHint(checkChains({ chains, ready }, parameters.chains, samples.length > 0), chains),
    ...(ready.status === 404 || ready.status === 401 ? [] : [checkReady(ready, metrics)]),
    // An oracle without metrics shows its signer only in a sample.
    ...(metrics.status === 404 && signers.length + samples.length === 0
      ? []
      : [withHint(checkSigner(own, metrics, signers), metrics)]),
    ...results.map(({ check }) => check),
  ];
  if (apiKey === undefined) return checks;
  const withoutKey = await http.get("/chains/v1", false);
  // For the public oracle, a key only removes the rate limit.
  const isPublic = metrics.status === 404 && withoutKey.status === 200;
  return [
    ...checks,
    {
      name: "it requires a key",
      isMet: withoutKey.status === 401 || isPublic,
      seen: `${describe("/chains/v1", withoutKey)}${isPublic ? ": it is open to everyone, like the public oracle" : ""}`,
    },
  ];
}

function checkUp(lives: OracleResponse): OracleCheck {
  const check = { name: "it is up", isMet: fieldOf(lives, "status") === "ok", seen: describe("/lives/v1", lives) };
  if (check.isMet) return check;
  const hint =
    lives.status === 0 ? "Start the oracle, or correct the URL." : "Pass the base URL of an oracle without a path.";
  return { ...check, hint };
}

function checkChains(
  { chains, ready }: { readonly chains: OracleResponse; readonly ready: OracleResponse },
  expected: readonly string[] | undefined,
  isSubset: boolean,
): OracleCheck {
  const listed = fieldOf(chains, "chains");
  const name = expected === undefined ? "it lists its chains" : "the oracle lists the expected chains";
  if (!Array.isArray(listed)) return { name, isMet: false, seen: describe("/chains/v1", chains) };
  const ids = listed.map((chain) => String(isObject(chain) ? chain.id : undefined));
  const missing = (expected ?? []).filter((id) => !ids.includes(id));
  const others = expected === undefined || isSubset ? [] : ids.filter((id) => !expected.includes(id));
  const needs = missingSettings(ready);
  const seen = [
    ids.join(", "),
    ...(missing.length === 0 ? [] : [`missing: ${missing.map((id) => withSettings(id, needs)).join(", ")}`]),
    ...(others.length === 0 ? [] : [`not expected: ${others.join(", ")}`]),
  ].join("; ");
  const isMet = ids.length > 0 && missing.length + others.length === 0;
  if (missing.length === 0) return { name, isMet, seen };
  const hint = missing.some((id) => id in needs)
    ? "Set the missing values of the disabled chains, and restart the oracle."
    : "Add the missing chains to the oracle's chain file, or check their ids.";
  return { name, isMet, seen, hint };
}

/** Lists the variables and fields that disabled chains require, by chain. */
function missingSettings(ready: OracleResponse): Readonly<Record<string, unknown>> {
  const missing = fieldOf(ready, "missing");
  return isObject(missing) ? missing : {};
}

function withSettings(id: string, needs: Readonly<Record<string, unknown>>): string {
  const names = needs[id];
  return Array.isArray(names) ? `${id} (disabled: ${names.join(", ")} is not set)` : id;
}

function checkReady(ready: OracleResponse, metrics: OracleResponse): OracleCheck {
  const name = "it reaches its chains";
  const chains = fieldOf(ready, "chains");
  const states = Object.entries({
    ...(isObject(chains) ? chains : {}),
    hub: fieldOf(ready, "hub"),
    allocator: fieldOf(ready, "allocator"),
  });
  const silent = states.filter(([, state]) => state === "unreachable").map(([id]) => id);
  if (silent.length > 0) {
    const failed = failedEndpoints(metrics, isObject(chains) ? Object.keys(chains) : []);
    const named = silent.map((id) => (failed.has(id) ? `${id} (${failed.get(id)?.join(", ")})` : id));
    const seen = `no response from ${named.join(", ")}`;
    return { name, isMet: ready.status === 200, seen, hint: "Check the oracle's RPC URLs for these chains." };
  }
  const needs = missingSettings(ready);
  const disabled = Object.keys(needs).map((id) => withSettings(id, needs));
  const seen = [describe("/ready", ready), ...disabled].join("; ");
  return { name, isMet: ready.status === 200, seen };
}

/** Counts the failures of endpoints by chain, `hub` or `allocator`. */
function failedEndpoints({ text }: OracleResponse, chains: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const failed = new Map<string, string[]>();
  for (const { groups } of text.matchAll(/^oracle_rpc_failures_total\{(?<labels>[^}]*)\}/gmu)) {
    const pairs = (groups?.labels ?? "").matchAll(/(\w+)="([^"]*)"/gu);
    const labels = new Map([...pairs].map(([, name, value]) => [name, value]));
    const chain = labels.get("chain") ?? "";
    // Metrics identify the hub by its id.
    const part = chain.endsWith("-allocator") ? "allocator" : "hub";
    const id = chains.includes(chain) ? chain : part;
    failed.set(id, [...(failed.get(id) ?? []), `${labels.get("endpoint")} ${labels.get("failure")}`]);
  }
  return failed;
}

function checkSigner(signer: string | undefined, metrics: OracleResponse, expected: readonly string[]): OracleCheck {
  const name = expected.length === 0 ? "it reports its signer" : "the oracle signs with the expected address";
  if (signer === undefined) {
    const hint = "Pass --chain and --transaction, or --sample: a signed response shows the signer.";
    return { name, isMet: false, seen: describe("/metrics", metrics), ...(metrics.status === 404 ? { hint } : {}) };
  }
  return { name, isMet: expected.length === 0 || expected.includes(signer), seen: signer };
}

function signerOf({ text }: OracleResponse): string | undefined {
  return /^oracle_signer_info\{address="(0x[0-9a-f]{40})"\} 1$/mu.exec(text)?.[1];
}

function describe(path: string, { status, text }: OracleResponse): string {
  if (status !== 0) return `${path} returns ${status}`;
  return text === "" ? `${path} does not respond` : `${path} does not respond (${text})`;
}

/** Parses a JSON object. Returns undefined for other text. */
function fieldOf({ text }: OracleResponse, name: string): unknown {
  const value = parseJson(text);
  return isObject(value) ? value[name] : undefined;
}
