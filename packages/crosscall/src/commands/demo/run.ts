import { setFlagsFromString } from "node:v8";

import { compact } from "@crosscall/protocol/core";
import { formatCurrencyAmount } from "@crosscall/protocol/common";
import type { ChainOptions } from "../../localnet/devchain/options.ts";
import { startNetwork, toNetworkJson, toNetworkText } from "../../terminal/startNetwork.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { formatDuration, Stages, type StageTime } from "../../terminal/stages.ts";
import { type DemoResult, describeAttestation, describeFees, playIntegrator } from "./playIntegrator.ts";
import { outputColors, writeOutput } from "../../terminal/output.ts";

/**
 * Difference between delivered and quoted output. It is negative, so that only calls that use the live balance succeed.
 */
const DELIVERY_BPS = -25;

interface DemoOptions {
  readonly chain?: readonly ChainOptions[];
  readonly json?: boolean;
  readonly keep?: boolean;
}

export async function runDemo({ chain: chains, json = false, keep = false }: DemoOptions): Promise<void> {
  // Optimizing the database's WebAssembly takes longer than the demo itself.
  for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const stages = new Stages({ isSilent: json, signal });
  const network = await startNetwork(stages, signal, compact({ deliveryBps: DELIVERY_BPS, chains }));
  try {
    const result = await playIntegrator(network, stages, signal);
    writeOutput(json ? toJson(result, stages.times, keep ? toNetworkJson(network) : {}) : toText(result, stages.times));
    if (keep) {
      if (!json) writeOutput(`\n${toNetworkText(network)}`);
      await interrupt.fired;
    }
  } finally {
    await network.close();
  }
}

function toJson(result: DemoResult, times: readonly StageTime[], network: Record<string, unknown>): string {
  const { outcome, ...rest } = result;
  const decimals = Object.fromEntries(Object.entries(outcome).map(([name, amount]) => [name, String(amount)]));
  return `${JSON.stringify({ ok: true, ...network, ...rest, outcome: decimals, times })}\n`;
}

function toText({ quote, outcome, statuses, requestId, attestation }: DemoResult, times: readonly StageTime[]): string {
  const { currency, amount: expected, minimumAmount } = quote.details?.currencyOut ?? {};
  const dollars = (amount: bigint | string): string => formatCurrencyAmount(BigInt(amount), currency ?? {});
  const rows: [string, string][] = [
    ["request", requestId],
    ["status", statuses.join(" -> ")],
    ["fees", describeFees(quote)],
    ["expected", dollars(expected ?? "0")],
    ["minimum", dollars(minimumAmount ?? "0")],
    ["in the vault", `${dollars(outcome.assets)} (${outcome.shares} shares)`],
    ["left on router", `${outcome.routerTokens} tokens`],
    ["left on proxy", `${outcome.proxyTokens} tokens`],
    ["fill", `${outcome.fillGas} gas`],
    ["attested", describeAttestation(attestation)],
    ...times.map(({ stage, durationMs }): [string, string] => ["time", `${formatDuration(durationMs)}  ${stage}`]),
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  return `\n${rows.map(([label, text]) => `${outputColors.bold(label.padEnd(width))}  ${text}`).join("\n")}\n`;
}
