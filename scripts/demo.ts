import { Command } from "commander";
import colors from "picocolors";

import type { ChainOptions } from "../src/localnet/index.ts";
import { formatCurrencyAmount } from "../src/protocol/currency.ts";
import { type DemoResult, describeAttestation, describeFees, playIntegrator } from "./demo/playIntegrator.ts";
import { chainOption } from "./options/chains.ts";
import { toNetworkJson, toNetworkText } from "./terminal/describeNetwork.ts";
import { interruptOnCtrlC } from "./terminal/interrupt.ts";
import { formatDuration, Stages, type StageTime } from "./terminal/stages.ts";
import { startNetwork } from "./terminal/startNetwork.ts";

/** The fill delivers 0.25 % less than quoted, so that only calls which act on the live balance get it right. */
const DELIVERY_BPS = -25;

interface DemoOptions {
  readonly chain?: readonly ChainOptions[];
  readonly json?: boolean;
  readonly keep?: boolean;
}

/** `crosscall demo`: the main job, end to end. */
export function demoCommand(): Command {
  return new Command("demo")
    .description(
      "Run a cross-chain call end to end on a local network: pay on one chain, deposit in a vault on another.",
    )
    .addOption(chainOption())
    .option("--json", "print one JSON object instead of progress and summary")
    .option("--keep", "leave everything up afterwards, and print the URLs; Ctrl-C stops it")
    .addHelpText("after", ["", "Examples:", "  crosscall demo", "  crosscall demo --json | jq .outcome"].join("\n"))
    .action(runDemo);
}

async function runDemo({ chain: chains, json = false, keep = false }: DemoOptions): Promise<void> {
  const interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const stages = new Stages({ isSilent: json, signal });
  try {
    const network = await startNetwork(stages, signal, {
      deliveryBps: DELIVERY_BPS,
      ...(chains === undefined ? {} : { chains }),
    });
    try {
      const result = await playIntegrator(network, stages, signal);
      process.stdout.write(
        json ? toJson(result, stages.times, keep ? toNetworkJson(network) : {}) : toText(result, stages.times),
      );
      if (keep) {
        if (!json) process.stdout.write(`\n${toNetworkText(network)}`);
        await interrupt.fired;
      }
    } finally {
      await network.close();
    }
  } finally {
    interrupt.release();
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
    ["left on router", `${outcome.routerTokens} tokens, allowance ${outcome.proxyAllowance}`],
    ["left on proxy", `${outcome.proxyTokens} tokens`],
    ["fill", `${outcome.fillGas} gas`],
    ["attested", describeAttestation(attestation)],
    ...times.map(({ stage, durationMs }): [string, string] => ["time", `${formatDuration(durationMs)}  ${stage}`]),
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  return `\n${rows.map(([label, text]) => `${colors.bold(label.padEnd(width))}  ${text}`).join("\n")}\n`;
}
