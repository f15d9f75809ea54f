import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import { compact } from "@crosscall/protocol/core";
import { formatAmount } from "@crosscall/protocol/encoding";
import { localAccountList } from "../../localnet/devchain/accounts.ts";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import type { ChainStateBody } from "../../localnet/service/admin/schemas.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { runAdmin } from "../../admin/callAdmin.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";

export function runAccounts({ json = false }: { json?: boolean }): void {
  writeOutput(json ? toJsonLine({ ok: true, accounts: localAccountList }) : toAccountsText());
}

function toAccountsText(): string {
  const lines = localAccountList.map(({ name, address, privateKey }) => `${name.padEnd(9)}  ${address}  ${privateKey}`);
  return `${lines.join("\n")}\n\nThese private keys are public: do not send funds to these accounts on other chains.\n`;
}

interface FaucetOptions extends AdminOptions {
  readonly amount: string;
  readonly currency?: string;
}

export function runFaucet(chainId: number, address: string, options: FaucetOptions): Promise<void> {
  const body = { address, currency: options.currency ?? EVM_NATIVE_CURRENCY, amount: options.amount };
  return runAdmin(
    options,
    ADMIN_ROUTES.chains.faucet,
    { params: { chainId }, body },
    ({ address: account, amount, decimals, symbol }) =>
      `${account} got ${formatAmount(BigInt(amount), decimals)} ${symbol}\n`,
  );
}

const { state, mine, reorg, mining, latency } = ADMIN_ROUTES.chains;

export function runState(chainId: number, options: AdminOptions): Promise<void> {
  return runAdmin(options, state, { params: { chainId } }, toStateLine);
}

interface BlocksOptions extends AdminOptions {
  readonly blocks: number;
}

export function runMine(chainId: number, { blocks, ...options }: BlocksOptions): Promise<void> {
  return runAdmin(options, mine, { params: { chainId }, body: { blocks } }, toStateLine);
}

export function runReorg(chainId: number, { blocks, ...options }: BlocksOptions): Promise<void> {
  return runAdmin(options, reorg, { params: { chainId }, body: { blocks } }, toStateLine);
}

interface MiningOptions extends AdminOptions {
  readonly interval?: number;
  readonly automatic?: true;
}

export function runMining(chainId: number, { interval, automatic, ...options }: MiningOptions): Promise<void> {
  const body = compact({ intervalMs: interval, automatic });
  return runAdmin(options, mining, { params: { chainId }, body }, toStateLine);
}

export function runLatency(chainId: number, { ms, ...options }: AdminOptions & { readonly ms: number }): Promise<void> {
  return runAdmin(options, latency, { params: { chainId }, body: { latencyMs: ms } }, toStateLine);
}

function toStateLine({ chainId, blockNumber, blockHash, miningIntervalMs, latencyMs }: ChainStateBody): string {
  const mode = miningIntervalMs === null ? "one block per transaction" : `one block every ${miningIntervalMs} ms`;
  return `chain ${chainId}  block ${blockNumber} ${blockHash}  ${mode}, latency ${latencyMs} ms\n`;
}
