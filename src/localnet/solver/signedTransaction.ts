import { BaseError, type Hex, TransactionReceiptNotFoundError, keccak256 } from "viem";

import { waitForInclusion } from "../../chains/waitForInclusion.ts";
import { InvalidStateError } from "../../core/errors.ts";
import type { TransactionPurpose, TransactionRow } from "../../store/schema.ts";
import type { Database } from "../../store/store.ts";
import { type Inclusion, findHighestNonce, insertTransaction, lockNonces } from "../../store/transactions.ts";
import type { ServiceChain, ServiceContext } from "../context.ts";
import type { UnsignedTransaction } from "./fillTransaction.ts";

/** How long one job waits for a block before it lets go; the job is then run again. */
const INCLUSION_TIMEOUT_MS = 60_000;

/** What {@link signAndRecord} takes. */
export interface SignParameters {
  readonly requestId: string;
  readonly purpose: TransactionPurpose;
  readonly chain: ServiceChain;
  readonly transaction: UnsignedTransaction;
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
export async function signAndRecord(context: ServiceContext, parameters: SignParameters): Promise<void> {
  const { store, solver, clock } = context;
  const { chain, transaction } = parameters;
  const [chainNonce, fees] = await Promise.all([
    chain.client.getTransactionCount({ address: solver.address, blockTag: "pending" }),
    chain.client.estimateFeesPerGas(),
  ]);
  const write = store.db.transaction().execute(async (db) => {
    await lockNonces(db, chain.id, solver.address);
    // A signed transaction may not have reached the chain yet, so the chain's count alone can be behind.
    const highest = await findHighestNonce(db, chain.id, solver.address);
    const nonce = Math.max(chainNonce, (highest ?? -1) + 1);
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

/**
 * Brings a recorded transaction into a block: sends its bytes, again if need be, and waits.
 *
 * @throws {@link InvalidStateError} when the row has no signed bytes
 * @throws {@link AbortedError} when the signal fires
 */
export async function includeTransaction(
  chain: ServiceChain,
  row: TransactionRow,
  signal: AbortSignal,
): Promise<Inclusion> {
  const hash = row.hash as Hex;
  if (row.signed === null) {
    throw new InvalidStateError({
      message: `transaction ${hash} was recorded without its bytes`,
      cure: "The database was changed by hand: restore it.",
    });
  }
  if (!(await isIncluded(chain, hash))) await broadcast(chain, row.signed as Hex);
  const receipt = await waitForInclusion(chain.client, { hash, timeoutMs: INCLUSION_TIMEOUT_MS, signal });
  const block = await chain.client.getBlock({ blockHash: receipt.blockHash });
  return {
    status: receipt.status === "success" ? "success" : "failure",
    block_number: Number(receipt.blockNumber),
    block_timestamp: Number(block.timestamp),
    fee: receipt.gasUsed * receipt.effectiveGasPrice,
    gas_used: Number(receipt.gasUsed),
  };
}

async function isIncluded(chain: ServiceChain, hash: Hex): Promise<boolean> {
  try {
    await chain.client.getTransactionReceipt({ hash });
    return true;
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return false;
    throw error;
  }
}

async function broadcast(chain: ServiceChain, serializedTransaction: Hex): Promise<void> {
  try {
    await chain.client.request({ method: "eth_sendRawTransaction", params: [serializedTransaction] });
  } catch (error) {
    // A node that has the transaction from before the restart says so; waiting for it is all there is to do.
    const isKnown = error instanceof BaseError && /already (known|imported|in)|known transaction/iu.test(error.details);
    // Hardhat's node answers that a transaction reverted, though its block has it.
    if (!isKnown && !(await isIncluded(chain, keccak256(serializedTransaction)))) throw error;
  }
}
