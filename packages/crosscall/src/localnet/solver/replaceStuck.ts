import { type Hex, keccak256, parseTransaction } from "viem";

import type { DevChain } from "../devchain/devChain.ts";
import { recordCancellation, replaceTransaction } from "../store/attempts.ts";
import type { TransactionRow } from "../store/transactions.ts";
import { type SignableCall, signCall, takeNonce } from "./signedTransaction.ts";
import type { Payer, Recorder, Signer, Timed } from "./solverParts.ts";

/** Returns the fields of a signed transaction, without the signature. */
function effectOf(signed: string) {
  const { to, data = "0x", value = 0n, gas = 0n, nonce = 0, authorizationList } = parseTransaction(signed as Hex);
  return {
    ...(to == null ? {} : { to }),
    data,
    value,
    gas,
    nonce,
    ...(authorizationList === undefined ? {} : { authorizationList }),
  };
}

/**
 * Fees of a replacement, in percent of the old fees. Nodes require about 12.5% higher fees to replace a transaction
 * with the same nonce.
 */
const BUMP_PERCENT = 113n;

interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export function feesOf(signed: string): Fees {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(signed as Hex);
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/**
 * Signs the transaction again with higher fees. Both hashes are stored; a chain includes one transaction per nonce.
 *
 * @returns the bytes to send, or undefined if another process was first
 */
export async function bumpFees(parts: Signer, chain: DevChain, row: TransactionRow): Promise<string | undefined> {
  const transaction = effectOf(row.signed ?? "0x");
  const signed = await sign(parts, chain, { ...transaction, ...(await raisedFees(chain, row.signed ?? "0x")) });
  return (await replace(parts, row, signed, row.nonce ?? 0)) ? signed : undefined;
}

/**
 * Signs the transaction with a new nonce, because another transaction has permanently used up the old nonce.
 *
 * @returns the bytes to send, or undefined if another process was first
 */
export async function moveNonce(parts: Signer, chain: DevChain, row: TransactionRow): Promise<string | undefined> {
  const { solver, store } = parts;
  const transaction = effectOf(row.signed ?? "0x");
  const fees = await chain.client.estimateFeesPerGas();
  const chainNonce = await chain.client.getTransactionCount({ address: solver.address, blockTag: "pending" });
  const nonce = await store.db.transaction().execute((db) => takeNonce(db, chain, solver.address, chainNonce));
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  const signed = await sign(parts, chain, { ...transaction, maxFeePerGas, maxPriorityFeePerGas, nonce });
  return (await replace(parts, row, signed, nonce)) ? signed : undefined;
}

/**
 * Uses up a fill's nonce, so that the fill can never be included.
 *
 * @returns the bytes to send, or undefined if the fill's bytes have changed meanwhile
 */
export async function signCancellation(
  parts: Signer,
  chain: DevChain,
  row: TransactionRow,
  replaced: string,
): Promise<string | undefined> {
  const fees = await raisedFees(chain, replaced);
  const nonce = row.nonce ?? 0;
  const to = parts.solver.address;
  const signed = await sign(parts, chain, { ...fees, to, value: 0n, gas: 21_000n, nonce });
  const cancellation = { hash: keccak256(signed), signed, nonce, at: now(parts) };
  return (await recordCancellation(parts.store.db, row, cancellation)) ? signed : undefined;
}

async function raisedFees(chain: DevChain, signed: string): Promise<Fees> {
  const former = feesOf(signed);
  const present = await chain.client.estimateFeesPerGas();
  const raise = (of: bigint, least: bigint): bigint => {
    const raised = (of * BUMP_PERCENT) / 100n + 1n;
    return raised > least ? raised : least;
  };
  return {
    maxFeePerGas: raise(former.maxFeePerGas, present.maxFeePerGas),
    maxPriorityFeePerGas: raise(former.maxPriorityFeePerGas, present.maxPriorityFeePerGas),
  };
}

function sign({ solver }: Payer, chain: DevChain, call: SignableCall): Promise<Hex> {
  return signCall(solver, chain, call);
}

function replace(parts: Recorder, row: TransactionRow, signed: Hex, nonce: number): Promise<boolean> {
  return replaceTransaction(parts.store.db, row, { hash: keccak256(signed), signed, nonce, at: now(parts) });
}

function now({ clock }: Timed): Date {
  return new Date(clock.now());
}
