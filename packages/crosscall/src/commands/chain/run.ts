import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import { formatAmount } from "@crosscall/protocol/encoding";
import { localAccountList } from "../../localnet/devchain/accounts.ts";
import { ChainStateSchema, FaucetAnswerSchema } from "../../localnet/service/admin/chainSchemas.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { runAdmin } from "../../admin/runAdmin.ts";
import { toJsonLine } from "../../terminal/toJson.ts";
import { writeOutput } from "../../terminal/output.ts";

export function runAccounts({ json = false }: { json?: boolean }): void {
  writeOutput(json ? toJsonLine({ ok: true, accounts: localAccountList }) : toAccountsText());
}

function toAccountsText(): string {
  const lines = localAccountList.map(({ name, address, privateKey }) => `${name.padEnd(9)}  ${address}  ${privateKey}`);
  return `${lines.join("\n")}\n\nThe keys are public: send nothing of value to these accounts on other chains.\n`;
}

interface FaucetOptions extends AdminOptions {
  readonly amount: string;
  readonly currency?: string;
}

export function runFaucet(chainId: number, address: string, options: FaucetOptions): Promise<void> {
  const body = { address, currency: options.currency ?? EVM_NATIVE_CURRENCY, amount: options.amount };
  return runAdmin(
    options,
    { method: "POST", path: `/admin/chains/${chainId}/faucet`, body, schema: FaucetAnswerSchema },
    ({ address: account, amount, decimals, symbol }) =>
      `${account} got ${formatAmount(BigInt(amount), decimals)} ${symbol}\n`,
  );
}

/** @param change admin endpoint and body; absent to read the state */
export function controlChain(
  chainId: number,
  options: AdminOptions,
  change?: { readonly name: string; readonly body: unknown },
): Promise<void> {
  const path = `/admin/chains/${chainId}`;
  const call =
    change === undefined
      ? { method: "GET" as const, path }
      : { method: "POST" as const, path: `${path}/${change.name}`, body: change.body };
  return runAdmin(options, { ...call, schema: ChainStateSchema }, (state) => {
    const { blockNumber, blockHash, miningIntervalMs, latencyMs } = state;
    const mining = miningIntervalMs === null ? "a block for each transaction" : `a block every ${miningIntervalMs} ms`;
    return `chain ${state.chainId}  block ${blockNumber} ${blockHash}  ${mining}, latency ${latencyMs} ms\n`;
  });
}
