import { type ChainStateBody, ChainStateSchema } from "../../src/localnet/service/admin/chainSchemas.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

/** Options of all these commands. */
export interface TellOptions extends AdminOptions {
  readonly json?: boolean;
}

/** Runs the commands of `crosscall chain` that change a chain, or show how it behaves. */
export async function tell(
  chainId: number,
  { json = false, ...options }: TellOptions,
  order: { readonly what: string; readonly body: unknown } | undefined,
): Promise<void> {
  const path = `/admin/chains/${chainId}`;
  const call =
    order === undefined
      ? { method: "GET" as const, path }
      : { method: "POST" as const, path: `${path}/${order.what}`, body: order.body };
  await runAdmin(async (signal) => {
    const state = await callAdmin(options, { ...call, schema: ChainStateSchema, signal });
    return json ? toJsonLine({ ok: true, ...state }) : toText(state);
  });
}

function toText({ chainId, blockNumber, blockHash, miningIntervalMs, latencyMs }: ChainStateBody): string {
  const mining = miningIntervalMs === null ? "a block for each transaction" : `a block every ${miningIntervalMs} ms`;
  return `chain ${chainId}  block ${blockNumber} ${blockHash}  ${mining}, latency ${latencyMs} ms\n`;
}
