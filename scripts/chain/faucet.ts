import { EVM_NATIVE_CURRENCY } from "@crosscall/sdk/internal/chains/address";
import { FaucetAnswerSchema } from "../../src/service/admin/chainSchemas.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface FaucetOptions extends AdminOptions {
  readonly amount: string;
  readonly currency?: string;
  readonly json?: boolean;
}

export function runFaucet(chainId: number, address: string, options: FaucetOptions): Promise<void> {
  return runAdmin((signal) => give(chainId, address, options, signal));
}

async function give(
  chainId: number,
  address: string,
  { amount, currency = EVM_NATIVE_CURRENCY, json = false, ...options }: FaucetOptions,
  signal: AbortSignal,
): Promise<string> {
  const given = await callAdmin(options, {
    method: "POST",
    path: `/admin/chains/${chainId}/faucet`,
    body: { address, currency, amount },
    schema: FaucetAnswerSchema,
    signal,
  });
  return json ? toJsonLine({ ok: true, ...given }) : `${given.address} got ${given.amount} ${given.symbol}\n`;
}
