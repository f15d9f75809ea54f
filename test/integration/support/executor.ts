import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";

import { createWalletClient, custom, type Hex, http } from "viem";

import {
  createServiceClient,
  executeSteps,
  type ExecutionJournal,
  type ExecutionWallet,
  PaymentUnresolvedError,
} from "../../../packages/sdk/src/index.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Quote } from "../../../packages/protocol/src/index.ts";

/** Kinds of wallets that execute steps. */
export type WalletKind = "viem local account" | "viem JSON-RPC account" | "ethers Wallet" | "ethers JsonRpcSigner";

/** Parameters of an executor process: the quote to execute, and the point at which the process kills itself. */
export interface ExecutorOrder {
  readonly serviceUrl: string;
  readonly rpcUrl: string;
  readonly quote: Quote;
  readonly journalFolder: string;
  readonly wallet: WalletKind;
  readonly payAgain?: boolean;
  /** Whether the quote is too old and must be replaced. */
  readonly isStale?: boolean;
  /**
   * Point at which the process dies: before a JSON-RPC request (`call`), after its response (`answer`), or after a
   * journal entry is written (`entry`).
   */
  readonly dieAt?: { readonly kind: "call" | "answer" | "entry"; readonly name: string; readonly count: number };
}

// Key of the first account of the mnemonic that every local node funds.
const USER_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

const order = JSON.parse(process.argv[2] ?? "") as ExecutorOrder;
let passes = order.dieAt?.count ?? 0;

/** Kills the process as a power failure would. */
async function dieAt(kind: string, name: string): Promise<void> {
  if (order.dieAt?.kind !== kind || order.dieAt.name !== name || passes-- > 1) return;
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => undefined);
}

async function call<Result>(method: string, forward: () => Promise<Result>): Promise<Result> {
  await dieAt("call", method);
  const result = await forward();
  // A response without a receipt does not count.
  if (result !== null) await dieAt("answer", method);
  return result;
}

function viemWallet(account: typeof localAccounts.user | Hex): ExecutionWallet {
  const { request } = http(order.rpcUrl, { retryCount: 0 })({});
  const transport = custom({
    request: ({ method, params }: { method: string; params?: unknown }) =>
      call<unknown>(method, () => request({ method, params } as never)),
  });
  return createWalletClient({ account, transport, pollingInterval: 25 });
}

/** Loads ethers only for its own wallets, because the tests start this program many times. */
async function ethersWallet(isLocal: boolean): Promise<ExecutionWallet> {
  const { JsonRpcProvider, Wallet } = await import("ethers");
  class WatchedProvider extends JsonRpcProvider {
    override send(method: string, params: unknown[]): Promise<unknown> {
      return call(method, () => super.send(method, params));
    }
  }
  const provider = new WatchedProvider(order.rpcUrl, undefined, { pollingInterval: 25, batchMaxCount: 1 });
  return isLocal ? new Wallet(USER_KEY, provider) : provider.getSigner(localAccounts.user.address);
}

function openWallet(): ExecutionWallet | Promise<ExecutionWallet> {
  switch (order.wallet) {
    case "viem local account":
      return viemWallet(localAccounts.user);
    case "viem JSON-RPC account":
      return viemWallet(localAccounts.user.address);
    case "ethers Wallet":
      return ethersWallet(true);
    case "ethers JsonRpcSigner":
      return ethersWallet(false);
  }
}

const journal: ExecutionJournal = {
  async get(key) {
    return readFile(join(order.journalFolder, encodeURIComponent(key)), "utf8").catch(() => undefined);
  },
  async set(key, value) {
    await mkdir(order.journalFolder, { recursive: true });
    await using file = await open(join(order.journalFolder, encodeURIComponent(key)), "w");
    await file.writeFile(value);
    await file.sync();
    await dieAt("entry", key.split("/")[1] ?? "");
  },
};

const outcome = await executeSteps(createServiceClient({ baseUrl: order.serviceUrl }), {
  quote: order.quote,
  wallet: await openWallet(),
  journal,
  pollIntervalMs: 25,
  freshness: order.isStale === true ? { maxAgeMs: 0, toleranceBps: 500 } : false,
  payAgain: order.payAgain === true,
}).then(
  ({ requestId, transactions }) => ({ requestId, txHashes: transactions.map(({ txHash }) => txHash) }),
  (error: unknown) => {
    if (error instanceof PaymentUnresolvedError) return { requestId: error.requestId, code: error.code };
    throw error;
  },
);
console.log(JSON.stringify(outcome));
process.exit(0);
