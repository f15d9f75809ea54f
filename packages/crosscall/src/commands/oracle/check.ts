import { compact, InvalidInputError, printable } from "@crosscall/protocol/core";
import { checkOracle, type OracleRequest, requireHttpUrl } from "@crosscall/oracle/check";
import { chooseKey, findNetwork } from "../../options/network.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";
import { readRequestFile } from "./requestFile.ts";

interface CheckOptions {
  readonly apiKey?: string;
  readonly chain?: readonly string[];
  readonly signer?: readonly string[];
  readonly transaction?: string;
  readonly sample?: string;
  readonly json?: boolean;
}

export async function runCheck(given: string | undefined, options: CheckOptions): Promise<void> {
  const { apiKey, chain, signer, json = false } = options;
  const network = given === undefined ? findNetwork(undefined) : undefined;
  const url = given ?? network?.oracleUrl ?? missingUrl();
  const key = chooseKey({ given: apiKey, own: network?.apiKey, variable: "CROSSCALL_ORACLE_API_KEY", url: given });
  requireHttpUrl(url, "<url>");
  using interrupt = interruptOnCtrlC();
  const checks = await checkOracle({
    url,
    apiKey: key,
    passKey: "set CROSSCALL_ORACLE_API_KEY, or pass --api-key",
    samples: await readSamples(options, interrupt.signal),
    ...compact({ chains: chain, signers: signer }),
    signal: interrupt.signal,
  });
  const ok = checks.every(({ isMet }) => isMet);
  const lines = checks.map(({ name, isMet, seen }) => `${isMet ? "ok  " : "FAIL"} ${name}: ${printable(seen)}\n`);
  for (const hint of new Set(checks.flatMap(({ hint: one }) => one ?? []))) lines.push(`${printable(hint)}\n`);
  writeOutput(json ? toJsonLine({ ok, checks }) : lines.join(""));
  if (!ok) process.exitCode = 1;
}

function missingUrl(): never {
  throw new InvalidInputError({
    field: "<url>",
    value: undefined,
    reason: "no network with an oracle is running in this folder",
    hint: "Pass the URL of the oracle, or start a network with `crosscall up`.",
  });
}

async function readSamples(
  { chain = [], transaction, sample }: CheckOptions,
  signal: AbortSignal,
): Promise<readonly OracleRequest[]> {
  const samples: OracleRequest[] = [];
  if (sample !== undefined) {
    for await (const request of readRequestFile(sample, "--sample", signal)) samples.push(request);
  }
  if (transaction === undefined) return samples;
  const [chainId] = chain;
  if (chainId === undefined || chain.length > 1) {
    throw new InvalidInputError({
      field: "--transaction",
      value: transaction,
      reason: "--transaction requires the chain of the transaction",
      hint: "Pass exactly one --chain.",
    });
  }
  return [...samples, { route: "depository-deposits/v1", body: { chainId, transactionId: transaction } }];
}
