import { type Address, type Hex, recoverAddress } from "viem";

import { hashExecution, type SignedExecution, SignedExecutionSchema } from "@crosscall/protocol/attestation";
import { isObject, matchesSchema, parseJson } from "@crosscall/protocol/schema";
import { keyHint, type OracleHttp, type OracleRequest } from "./oracleHttp.ts";

export interface OracleCheck {
  readonly name: string;
  readonly isMet: boolean;
  readonly seen: string;
  /** Instruction for the user. */
  readonly hint?: string;
}

export interface CheckSampleParameters {
  readonly http: OracleHttp;
  readonly apiKey: string | undefined;
  /** Instruction for passing a key, for hints. */
  readonly passKey: string;
  readonly sample: OracleRequest;
  /** Expected signers in lower case; empty for any. */
  readonly signers: readonly string[];
}

export interface SampleResult {
  readonly check: OracleCheck;
  /** Signers in lower case, the oracle first. */
  readonly signed: readonly string[];
}

/** Versions of the oracle contract; the response contains only its address. */
const VERSIONS = ["2", "1"] as const;

/** Requests an attestation with the signatures of peers, and compares the signers with the expected ones. */
export async function checkSample(parameters: CheckSampleParameters): Promise<SampleResult> {
  const { http, apiKey, passKey, sample, signers } = parameters;
  const { status, text } = await http.attest(sample, true);
  const name = `peers agree on ${sample.route}`;
  const answer = parseJson(text);
  if (status !== 200 || !isObject(answer)) {
    const reason = isObject(answer) && typeof answer.message === "string" ? `: ${answer.message}` : "";
    const hint = keyHint(status, apiKey, passKey);
    const check = {
      name,
      isMet: false,
      seen: `the oracle responded with ${status}${reason}`,
      ...(hint === undefined ? {} : { hint }),
    };
    return { check, signed: [] };
  }
  const { signed, forged } = await readSigners(answer);
  if (signed.length + forged.length === 0) {
    const hint = "Pass a transaction with a final deposit.";
    return { check: { name, isMet: false, seen: "the response contains nothing that oracles sign", hint }, signed };
  }
  const missing = signers.filter((signer) => !signed.includes(signer));
  const seen = [
    `signed by ${signed.join(", ")}`,
    ...(missing.length === 0 ? [] : [`not by ${missing.join(", ")}`]),
    ...(forged.length === 0 ? [] : [`invalid signatures that claim to be from ${forged.join(", ")}`]),
  ].join("; ");
  const hint =
    "Check the metric oracle_peer_answers_total of the oracle, which counts peers that disagree, fail or time out.";
  const isMet = missing.length === 0 && forged.length === 0;
  return { check: { name, isMet, seen, ...(isMet ? {} : { hint }) }, signed };
}

/** Recovers the signers of the execution. For other messages, returns the signers listed in the response. */
async function readSigners(answer: Record<string, unknown>): Promise<{ signed: string[]; forged: string[] }> {
  const { execution } = answer;
  if (!matchesSchema(SignedExecutionSchema, execution))
    return { signed: [...new Set(namedSigners(answer))], forged: [] };
  const signed = new Set<string>();
  const forged = new Set<string>();
  for (const signature of (execution as SignedExecution).signatures) {
    const signer = signature.oracleSigner.toLowerCase();
    ((await isGenuine(execution as SignedExecution, signature)) ? signed : forged).add(signer);
  }
  return { signed: [...signed], forged: [...forged] };
}

async function isGenuine(
  { idempotencyKey, actions }: SignedExecution,
  { oracleChainId, oracleContract, oracleSigner, signature }: SignedExecution["signatures"][number],
): Promise<boolean> {
  const execution = { idempotencyKey: idempotencyKey as Hex, actions: actions as Hex[] };
  for (const oracleVersion of VERSIONS) {
    const domain = { oracleVersion, evmChainId: Number(oracleChainId), oracleAddress: oracleContract as Address };
    try {
      const hash = hashExecution(domain, execution);
      const recovered = await recoverAddress({ hash, signature: signature as Hex });
      if (recovered.toLowerCase() === oracleSigner.toLowerCase()) return true;
    } catch {
      return false;
    }
  }
  return false;
}

function namedSigners(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namedSigners);
  if (!isObject(value)) return [];
  const { oracleSigner } = value;
  return [
    ...(typeof oracleSigner === "string" ? [oracleSigner.toLowerCase()] : []),
    ...Object.values(value).flatMap(namedSigners),
  ];
}
