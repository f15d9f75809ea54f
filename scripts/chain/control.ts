import { type ChainStateBody, ChainStateSchema } from "../../src/service/admin/chainSchemas.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

export interface ControlOptions extends AdminOptions {
  readonly json?: boolean;
}

/** @param change admin endpoint and body; absent to read the state */
export async function controlChain(
  chainId: number,
  { json = false, ...options }: ControlOptions,
  change?: { readonly name: string; readonly body: unknown },
): Promise<void> {
  const path = `/admin/chains/${chainId}`;
  const call =
    change === undefined
      ? { method: "GET" as const, path }
      : { method: "POST" as const, path: `${path}/${change.name}`, body: change.body };
  await runAdmin(async (signal) => {
    const state = await callAdmin(options, { ...call, schema: ChainStateSchema, signal });
    return json ? toJsonLine({ ok: true, ...state }) : toText(state);
  });
}

function toText({ chainId, blockNumber, blockHash, miningIntervalMs, latencyMs }: ChainStateBody): string {
  const mining = miningIntervalMs === null ? "a block for each transaction" : `a block every ${miningIntervalMs} ms`;
  return `chain ${chainId}  block ${blockNumber} ${blockHash}  ${mining}, latency ${latencyMs} ms\n`;
}
