import { type Hex, keccak256 } from "viem";

import type { DevChain, EvmCall } from "../devchain/devChain.ts";
import type { Database } from "../store/store.ts";
import type { TransactionPurpose } from "../store/tables/transactionTables.ts";
import { findHighestNonce, insertTransaction, lockNonces } from "../store/transactions.ts";
import type { SolverParts } from "./solverParts.ts";

/** What {@link signAndRecord} takes. */
export interface SignParameters {
  readonly requestId: string;
  readonly purpose: TransactionPurpose;
  readonly chain: DevChain;
  readonly transaction: EvmCall;
  /** Gas limit. */
  readonly gas: bigint;
  /** What it moves, smallest unit of `currency`. */
  readonly amount: bigint;
  readonly currency: string;
  /** Moves the request in the same database transaction; where it answers false, nothing is written. */
  readonly move: (db: Database) => Promise<boolean>;
}

/** Another worker moved the request on: what was prepared here is dropped. */
class Superseded extends Error {}

/**
 * Signs a transaction of the solver and writes it down, before anything is sent. A request that has one of this
 * purpose already keeps it: this is what makes a fill happen once, whatever is killed in between.
 */
export async function signAndRecord(
  parts: Pick<SolverParts, "clock" | "solver" | "store">,
  parameters: SignParameters,
): Promise<void> {
  const { store, solver, clock } = parts;
  const { chain, transaction } = parameters;
  const [chainNonce, fees] = await Promise.all([
    chain.client.getTransactionCount({ address: solver.address, blockTag: "pending" }),
    chain.client.estimateFeesPerGas(),
  ]);
  const write = store.db.transaction().execute(async (db) => {
    await lockNonces(db, chain.id, solver.address);
    const nonce = await nextNonce(db, chain, solver.address, chainNonce);
    const signed = await solver.signTransaction({
      type: "eip1559",
      chainId: chain.id,
      nonce,
      gas: parameters.gas,
      maxFeePerGas: fees.maxFeePerGas,
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
      to: transaction.to,
      data: transaction.data,
      value: transaction.value,
    });
    const isNew = await insertTransaction(db, {
      request_id: parameters.requestId,
      purpose: parameters.purpose,
      chain_id: chain.id,
      hash: keccak256(signed),
      sender: solver.address,
      nonce,
      signed,
      status: "pending",
      amount: parameters.amount,
      currency: parameters.currency,
      created_at: new Date(clock.now()),
    });
    if (isNew && !(await parameters.move(db))) throw new Superseded();
  });
  try {
    await write;
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
  }
}

/** The nonce after the last one: a signed transaction may not have reached the chain, whose count is behind then. */
export async function nextNonce(db: Database, chain: DevChain, sender: string, chainNonce: number): Promise<number> {
  const highest = await findHighestNonce(db, chain.id, sender);
  return Math.max(chainNonce, (highest ?? -1) + 1);
}

/** What a node says to bytes. */
export type SendOutcome =
  | { readonly kind: "sent" }
  /** Another transaction has the nonce. */
  | { readonly kind: "nonceUsed" }
  /** The node does not take the bytes, for now at least. */
  | { readonly kind: "refused"; readonly reason: string };

/** Sends signed bytes to a chain's node; bytes that it has already count as sent. */
export async function sendBytes(chain: DevChain, signed: string): Promise<SendOutcome> {
  try {
    await chain.client.request({ method: "eth_sendRawTransaction", params: [signed as Hex] });
    return { kind: "sent" };
  } catch (error) {
    const reason = error instanceof Error && "details" in error ? String(error.details) : String(error);
    if (/already (known|imported|in)|known transaction/iu.test(reason)) return { kind: "sent" };
    if (/nonce[^.]*(too low|already been used|is lower)/iu.test(reason)) return { kind: "nonceUsed" };
    return { kind: "refused", reason };
  }
}
