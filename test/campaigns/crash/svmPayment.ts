import { createHash } from "node:crypto";

import { base58 } from "@scure/base";
import {
  type ConfirmedTransactionMeta,
  Connection,
  Keypair,
  PublicKey,
  SendTransactionError,
  type TransactionInstruction,
  type VersionedTransaction,
} from "@solana/web3.js";
import type { Hex } from "viem";

import { SVM_CHAIN_ID } from "../../../packages/protocol/src/chains/chainIds.ts";
import type { ChainEntry, Quote } from "../../../packages/protocol/src/complete.ts";
import { associatedTokenAccount, vaultOf } from "../../../packages/protocol/src/vms/solanaPrograms.ts";
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from "../../../packages/protocol/src/vms/svmPrograms.ts";
import type { SvmTransactionData } from "../../../packages/crosscall/src/localnet/market/quote/routes/svmDeposit.ts";
import { callAdmin } from "../../integration/support/adminCalls.ts";
import { signWeb3, toWeb3Instructions } from "../../support/solanaWeb3.ts";
import { until } from "../../support/until.ts";
import type { ServiceUp } from "./service.ts";

export const NATIVE = SYSTEM_PROGRAM;
export const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

const DEPOSITORY = "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2";
const SOLVER = "3RwGxXWHVgBnxiknic4qxHDwDnyGYNPiyDrCcsQN75GV";
const FEE = 5_000n;
/** Lamports of an account that pays in tokens: for the fee, its accounts and, on the first deposit, the vault's account. */
const TOKEN_PAYER_LAMPORTS = 4_000_000n;

/** Payment for a request on Solana. */
export interface SvmPayment {
  readonly payer: string;
  readonly keypair: Keypair;
  readonly instructions: readonly TransactionInstruction[];
}

/** Returns the key of an account that only one request uses. */
export function svmPayer(name: string): Keypair {
  return Keypair.fromSeed(createHash("sha256").update(`crash campaign ${name}`).digest());
}

/** Returns the deposit of a quote, with another amount if it differs. */
export function svmPayment(keypair: Keypair, quote: Quote, deposited: bigint): SvmPayment {
  const data = quote.steps[0]?.items[0]?.data as SvmTransactionData | undefined;
  if (data === undefined) throw new Error("the quote has no instructions");
  const instructions = toWeb3Instructions(data.instructions);
  for (const instruction of instructions) instruction.data.writeBigUInt64LE(deposited, 8);
  return { payer: keypair.publicKey.toBase58(), keypair, instructions };
}

/** Funds a payer with exactly the deposit and the fee, or with what its account needs if it pays with tokens. */
export async function fundSvmPayer(
  service: ServiceUp,
  { payer }: SvmPayment,
  currency: string,
  amount: bigint,
): Promise<void> {
  const sums: [string, bigint][] =
    currency === NATIVE
      ? [[NATIVE, amount + FEE]]
      : [
          [NATIVE, TOKEN_PAYER_LAMPORTS],
          [currency, amount],
        ];
  for (const [each, sum] of sums) {
    const body = { address: payer, currency: each, amount: sum.toString() };
    const { status } = await callAdmin(service, "POST", `/admin/chains/${SVM_CHAIN_ID}/faucet`, body);
    if (status !== 200) throw new Error(`the faucet of Solana responded with ${status}`);
  }
}

/** Pays on Solana, which runs in the service. */
export interface SvmPoster {
  add(payment: SvmPayment): void;
  /**
   * Sends the payments that no service has confirmed. If the service is killed, the next instance receives them again.
   *
   * @returns the number of payments that are still not confirmed
   */
  post(url: string): Promise<number>;
}

export function createSvmPoster(): SvmPoster {
  const open = new Map<SvmPayment, VersionedTransaction | undefined>();
  return {
    add: (payment) => void open.set(payment, undefined),
    async post(url) {
      const connection = open.size === 0 ? undefined : await connect(url).catch(() => undefined);
      if (connection === undefined) return open.size;
      await Promise.all(
        [...open].map(async ([payment, sent]) => {
          try {
            if (sent !== undefined && (await isIncluded(connection, sent))) {
              open.delete(payment);
              return;
            }
            // A transaction that expired without being included never will be.
            const isExpired =
              sent !== undefined && !(await connection.isBlockhashValid(sent.message.recentBlockhash)).value;
            const transaction =
              sent === undefined || isExpired
                ? await signWeb3(connection, payment.keypair, payment.instructions)
                : sent;
            open.set(payment, transaction);
            await connection.sendRawTransaction(transaction.serialize());
            open.delete(payment);
          } catch (error) {
            // The service was killed before it responded, unless the chain rejected the payment.
            if (error instanceof SendTransactionError) throw error;
          }
        }),
      );
      return open.size;
    },
  };
}

async function isIncluded(connection: Connection, { signatures: [signature] }: VersionedTransaction): Promise<boolean> {
  if (signature === undefined) return false;
  return (await connection.getSignatureStatus(base58.encode(signature))).value !== null;
}

async function connect(url: string): Promise<Connection> {
  const { chains } = (await (await fetch(`${url}/chains`)).json()) as { chains: ChainEntry[] };
  const rpcUrl = chains.find(({ id }) => id === SVM_CHAIN_ID)?.httpRpcUrl;
  if (rpcUrl === undefined) throw new Error("the service does not run Solana");
  return new Connection(rpcUrl, { commitment: "confirmed", disableRetryOnRateLimit: true });
}

/** Balances of the service's own accounts on Solana. */
export interface SvmHoldings {
  readonly solverNative: bigint;
  readonly solverDollars: bigint;
  readonly vaultNative: bigint;
  readonly vaultDollars: bigint;
}

export async function readSvmHoldings({ url }: ServiceUp): Promise<SvmHoldings> {
  return holdingsOf(await connect(url));
}

async function holdingsOf(connection: Connection): Promise<SvmHoldings> {
  const vault = vaultOf(DEPOSITORY);
  const [solverNative, solverDollars, vaultNative, vaultDollars] = await Promise.all([
    svmBalanceOf(connection, SOLVER, NATIVE),
    svmBalanceOf(connection, SOLVER, USDC),
    svmBalanceOf(connection, vault, NATIVE),
    svmBalanceOf(connection, vault, USDC),
  ]);
  return { solverNative, solverDollars, vaultNative, vaultDollars };
}

async function svmBalanceOf(connection: Connection, account: string, currency: string): Promise<bigint> {
  if (currency === NATIVE) return BigInt(await connection.getBalance(new PublicKey(account)));
  const held = await connection.getAccountInfo(new PublicKey(associatedTokenAccount(account, currency, TOKEN_PROGRAM)));
  return held?.data.readBigUInt64LE(64) ?? 0n;
}

/** The transactions of a campaign on Solana, read from all blocks, and the balances that they left. */
export interface SvmResult {
  readonly before: SvmHoldings;
  readonly after: SvmHoldings;
  /** Amounts that the depository received, by order id. */
  readonly deposits: ReadonlyMap<string, readonly bigint[]>;
  /** Payments of the solver with the order ids of their memos. */
  readonly payments: readonly SvmSolverPayment[];
  /** Balances of the requests' own accounts, by account and currency. */
  readonly balances: ReadonlyMap<string, bigint>;
}

export interface SvmSolverPayment {
  readonly orderId: Hex;
  readonly to: null;
  /** Lamports: the fee, and the rent of the token account that the payment created. */
  readonly cost: bigint;
  readonly works: boolean;
}

const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

/** @param accounts whose balances to read, each with its currency */
export async function readSvmResult(
  { url }: ServiceUp,
  before: SvmHoldings,
  accounts: readonly (readonly [account: string, currency: string])[],
): Promise<SvmResult> {
  const connection = await connect(url);
  const last = await connection.getSlot();
  await until(async () => (await connection.getSlot()) > last);
  const deposits = new Map<string, bigint[]>();
  const payments: SvmSolverPayment[] = [];
  for (const slot of await listBlocks(connection, last)) {
    const block = await connection.getBlock(slot, { maxSupportedTransactionVersion: 0 });
    for (const { transaction, meta } of block?.transactions ?? []) {
      const keys = transaction.message.staticAccountKeys.map((key) => key.toBase58());
      const works = meta?.err === null;
      for (const { programIdIndex, data } of transaction.message.compiledInstructions) {
        const bytes = Buffer.from(data);
        if (keys[programIdIndex] === DEPOSITORY && works) {
          const orderId = `0x${bytes.toString("hex", 16, 48)}`;
          deposits.set(orderId, [...(deposits.get(orderId) ?? []), bytes.readBigUInt64LE(8)]);
        }
        if (keys[programIdIndex] === MEMO && keys[0] === SOLVER) {
          payments.push({ orderId: bytes.toString() as Hex, to: null, cost: costOf(meta), works });
        }
      }
    }
  }
  const balances = new Map<string, bigint>();
  for (const [account, currency] of accounts) {
    balances.set(account, await svmBalanceOf(connection, account, currency));
  }
  return { before, after: await holdingsOf(connection), deposits, payments, balances };
}

function costOf(meta: ConfirmedTransactionMeta | null): bigint {
  if (meta === null) return 0n;
  const created = (meta.postTokenBalances ?? []).filter(({ accountIndex }) => meta.preBalances[accountIndex] === 0);
  const rents = created.map(({ accountIndex }) => meta.postBalances[accountIndex] ?? 0);
  return BigInt(rents.reduce((sum, rent) => sum + rent, meta.fee));
}

/** Lists the blocks up to a slot. The first block is the start of the live chain, and the next one years later. */
async function listBlocks({ rpcEndpoint }: Connection, last: number): Promise<number[]> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getBlocksWithLimit", params: [1, 500_000] });
  const response = await fetch(rpcEndpoint, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { result } = (await response.json()) as { result: number[] };
  return result.filter((slot) => slot <= last);
}
