import { type Hex, keccak256, type LocalAccount } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import type { DevChain, EvmCall } from "../devchain/devChain.ts";
import type { Database } from "../store/schema.ts";
import {
  addTransaction,
  findTransaction,
  lockNonces,
  type TransactionPurpose,
  type TransactionRow,
} from "../store/transactions.ts";
import type { Signer } from "./solverParts.ts";

export interface SignParameters {
  readonly requestId: string;
  readonly purpose: TransactionPurpose;
  readonly chain: DevChain;
  readonly transaction: EvmCall;
  readonly gas: bigint;
  /** Amount in the smallest unit of `currency`. */
  readonly amount: bigint;
  readonly currency: string;
  /** Input that a refund returns; the first by default. */
  readonly inputIndex?: number;
  /**
   * Updates the request in the same database transaction. If it returns false, the transaction is rolled back. By
   * default, the request is not updated.
   */
  readonly move?: (db: Database) => Promise<boolean>;
}

/** Thrown to roll back if another worker updated the request. */
class Superseded extends Error {}

/**
 * Signs a transaction and stores it before it is sent. A request keeps its first transaction of each purpose and input, so a
 * fill happens once, even if a process is killed in between.
 *
 * @returns the stored transaction; undefined if the request has one with this purpose, or another worker changed it
 */
export async function signAndRecord(parts: Signer, parameters: SignParameters): Promise<TransactionRow | undefined> {
  const { store, solver, clock } = parts;
  const { chain, transaction } = parameters;
  const [chainNonce, fees] = await Promise.all([
    chain.client.getTransactionCount({ address: solver.address, blockTag: "pending" }),
    chain.client.estimateFeesPerGas(),
  ]);
  const write = store.db.transaction().execute(async (db) => {
    const nonce = await takeNonce(db, chain, solver.address, chainNonce);
    const signed = await signCall(solver, chain, {
      ...transaction,
      nonce,
      gas: parameters.gas,
      maxFeePerGas: fees.maxFeePerGas,
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
    });
    const row = await addTransaction(db, {
      request_id: parameters.requestId,
      purpose: parameters.purpose,
      input_index: parameters.inputIndex ?? 0,
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
    const isMoved = row === undefined || parameters.move === undefined || (await parameters.move(db));
    if (!isMoved) throw new Superseded();
    return row;
  });
  try {
    return await write;
  } catch (error) {
    if (error instanceof Superseded) return undefined;
    throw error;
  }
}

/** Signs, stores and sends a transaction. `followTransactions` sends it again if it did not arrive. */
export async function signAndSend(parts: Signer, parameters: SignParameters): Promise<void> {
  const row =
    (await signAndRecord(parts, parameters)) ??
    (await findTransaction(parts.store.db, parameters.requestId, parameters.purpose));
  if (row?.signed != null) await sendBytes(parameters.chain, row.signed);
}

export interface SignableCall extends Partial<EvmCall> {
  readonly nonce: number;
  readonly gas: bigint;
  /** Wei. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export function signCall(account: LocalAccount, chain: Pick<DevChain, "id">, call: SignableCall): Promise<Hex> {
  const { authorizationList, ...rest } = call;
  const transaction = { ...rest, chainId: chain.id };
  return authorizationList === undefined
    ? account.signTransaction({ ...transaction, type: "eip1559" })
    : account.signTransaction({ ...transaction, authorizationList, type: "eip7702" });
}

/**
 * Returns the nonce after the highest stored nonce, because signed transactions may not have reached the chain. No other
 * worker or process can take a nonce until the database transaction ends.
 */
export async function takeNonce(db: Database, chain: DevChain, sender: string, chainNonce: number): Promise<number> {
  const highest = await lockNonces(db, chain.id, sender);
  return Math.max(chainNonce, (highest ?? -1) + 1);
}

/** @throws {@link InvalidStateError} if the row has no signed bytes */
export function requireSigned({ hash, signed }: Pick<TransactionRow, "hash" | "signed">): string {
  if (signed !== null) return signed;
  throw new InvalidStateError({
    message: `transaction ${hash} was stored without its signed bytes`,
    hint: "The database was modified. Restore it.",
  });
}

export type SendOutcome =
  | { readonly kind: "sent" }
  /** Another transaction used the nonce. */
  | { readonly kind: "nonceUsed" }
  /** The node rejected the bytes, perhaps only temporarily. */
  | { readonly kind: "refused"; readonly reason: string };

/** Sends the bytes. Bytes that the node already has count as sent. */
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
