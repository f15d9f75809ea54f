import { isObject, parseJson } from "@crosscall/sdk/internal/protocol/schema/json";
import { checkSample, type OracleCheck } from "./checkSample.ts";
import { keyHint, type OracleAnswer, openOracleHttp, type OracleRequest, type OracleTarget } from "./oracleHttp.ts";

export interface CheckOracleParameters extends OracleTarget {
  /** How the caller passes a key, for hints. */
  readonly passKey: string;
  /** Chains that it should list; not checked by default. */
  readonly chains?: readonly string[];
  /** Expected signers; not checked by default. Without samples, one of them must be the oracle's. */
  readonly signers?: readonly string[];
  /** Requests that the oracle and its peers should sign. */
  readonly samples?: readonly OracleRequest[];
}

/**
 * The operational checks of spec 3. Bad responses are results, not exceptions. Oracles without metrics or readiness, such
 * as the public one, are not checked for them.
 */
export async function checkOracle(parameters: CheckOracleParameters): Promise<readonly OracleCheck[]> {
  const { apiKey, passKey, samples = [] } = parameters;
  const signers = (parameters.signers ?? []).map((signer) => signer.toLowerCase());
  const http = openOracleHttp(parameters);
  const lives = await http.get("/lives/v1", false);
  const documentation = await http.get("/documentation", false);
  const chains = await http.get("/chains/v1");
  const ready = await http.get("/ready", false);
  const metrics = await http.get("/metrics");

  const results = [];
  for (const sample of samples) results.push(await checkSample({ http, apiKey, passKey, sample, signers }));
  const own = metrics.status === 404 ? results.find(({ signed }) => signed.length > 0)?.signed[0] : signerOf(metrics);

  const withHint = (check: OracleCheck, { status }: OracleAnswer): OracleCheck => {
    const hint = keyHint(status, apiKey, passKey);
    return hint === undefined ? check : { ...check, hint };
  };
  const checks = [
    { name: "it is up", isMet: fieldOf(lives, "status") === "ok", seen: describe("/lives/v1", lives) },
    {
      name: "its documentation loads",
      isMet: documentation.status === 200,
      seen: describe("/documentation", documentation),
    },
    withHint(checkChains(chains, parameters.chains, samples.length > 0), chains),
    ...(ready.status === 404 || ready.status === 401 ? [] : [checkReady(ready)]),
    // Without metrics, only a sample shows the signer.
    ...(metrics.status === 404 && signers.length + samples.length === 0
      ? []
      : [withHint(checkSigner(own, metrics, signers), metrics)]),
    ...results.map(({ check }) => check),
  ];
  if (apiKey === undefined) return checks;
  const withoutKey = await http.get("/chains/v1", false);
  // At the public oracle, a key only lifts the rate limit.
  const isPublic = metrics.status === 404 && withoutKey.status === 200;
  return [
    ...checks,
    {
      name: "it is closed without a key",
      isMet: withoutKey.status === 401 || isPublic,
      seen: `${describe("/chains/v1", withoutKey)}${isPublic ? ": it is open to everyone, as the public oracle is" : ""}`,
    },
  ];
}

function checkChains(answer: OracleAnswer, expected: readonly string[] | undefined, isSubset: boolean): OracleCheck {
  const listed = fieldOf(answer, "chains");
  const ids = Array.isArray(listed) ? listed.map((chain) => String(isObject(chain) ? chain.id : undefined)) : undefined;
  const isExpected = (found: readonly string[]): boolean => {
    if (expected === undefined) return true;
    if (isSubset) return expected.every((id) => found.includes(id));
    return expected.toSorted().join() === found.toSorted().join();
  };
  return {
    name: expected === undefined ? "it lists its chains" : "it lists the chains that it should",
    isMet: ids !== undefined && ids.length > 0 && isExpected(ids),
    seen: ids === undefined ? describe("/chains/v1", answer) : ids.join(", "),
  };
}

function checkReady(answer: OracleAnswer): OracleCheck {
  const chains = fieldOf(answer, "chains");
  const states = Object.entries({
    ...(isObject(chains) ? chains : {}),
    hub: fieldOf(answer, "hub"),
    allocator: fieldOf(answer, "allocator"),
  });
  const silent = states.filter(([, state]) => state === "unreachable").map(([id]) => id);
  return {
    name: "it reaches its chains",
    isMet: answer.status === 200,
    seen: silent.length === 0 ? describe("/ready", answer) : `no answer from ${silent.join(", ")}`,
  };
}

function checkSigner(signer: string | undefined, metrics: OracleAnswer, expected: readonly string[]): OracleCheck {
  const name = expected.length === 0 ? "it reports its signer" : "it signs with the address that it should";
  if (signer === undefined) {
    const hint = "Pass --chain and --transaction, or --sample: a signed response shows the signer.";
    return { name, isMet: false, seen: describe("/metrics", metrics), ...(metrics.status === 404 ? { hint } : {}) };
  }
  return { name, isMet: expected.length === 0 || expected.includes(signer), seen: signer };
}

function signerOf({ text }: OracleAnswer): string | undefined {
  return /^oracle_signer_info\{address="(0x[0-9a-f]{40})"\} 1$/mu.exec(text)?.[1];
}

function describe(path: string, { status }: OracleAnswer): string {
  return status === 0 ? `${path} does not answer` : `${path} answers ${status}`;
}

/** Undefined if the text is not a JSON object. */
function fieldOf({ text }: OracleAnswer, name: string): unknown {
  const value = parseJson(text);
  return isObject(value) ? value[name] : undefined;
}
