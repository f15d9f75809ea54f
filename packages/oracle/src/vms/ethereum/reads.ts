import { type Address, encodeFunctionData, type Hex, hexToBigInt, isHex, zeroAddress } from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import { MalformedDataError } from "@crosscall/protocol/core";
import { decodeEvmWithdrawal, hashEvmWithdrawal, onchainId, withdrawnByEvm } from "@crosscall/protocol/attestation";
import { decodeFillContract } from "@crosscall/protocol/order";
import { AttestationRefusedError, requireAttested } from "../../attestationRefusedError.ts";
import { requireNoDeposit, withoutCalls } from "../rules.ts";
import type {
  DepositsResponse,
  DepositsRequest,
  Settlement,
  SettlementRequest,
  Withdrawal,
  WithdrawalHints,
  WithdrawalStatus,
} from "../vmChain.ts";
import type { EvmChain, EvmDialect } from "./dialect.ts";
import {
  findDeposits,
  type FoundDeposit,
  madeCalls,
  nativePayment,
  referenceOf,
  soleBareTransfer,
  tokenPayment,
  ZKSYNC_NATIVE_TOKEN,
} from "./events.ts";
import type { EvmReceipt, EvmTransaction } from "./evmReader.ts";
import { fastFinalityOf, type Finality, type IncludedTransaction } from "./transactions.ts";

/**
 * Cache of deposits, keyed by the receipt object, which is cached if it is final. The transaction id has the caller's
 * last spelling.
 */
const final = new WeakMap<EvmReceipt, { readonly transactionId: string; readonly answer: DepositsResponse }>();

export async function readDeposits(
  chain: EvmChain,
  { transactionId, mode }: DepositsRequest,
): Promise<DepositsResponse> {
  const { dialect, options, transactions, finality, depository } = chain;
  const { id, additionalData } = options;
  requireAttested(depository !== undefined && options.depository !== undefined, "Chain has no depository configured");
  const hash = dialect.toHash(transactionId);
  const find = ({ receipt }: IncludedTransaction): readonly FoundDeposit[] => depositsIn(chain, receipt);
  const currencyOf = ({ currency }: FoundDeposit): string =>
    currency === zeroAddress ? dialect.nativeCurrency : dialect.fromEvm(currency);
  const fastOf = (deposits: readonly FoundDeposit[]): Finality | undefined =>
    mode === "fast"
      ? fastFinalityOf(
          additionalData,
          deposits.map((deposit) => ({ ...deposit, currency: currencyOf(deposit) })),
        )
      : undefined;
  const included = await transactions.read(transactionId, hash, (one) => fastOf(find(one)) ?? finality);
  const known = final.get(included.receipt);
  if (mode === "slow" && known?.transactionId === transactionId) return known.answer;
  const found = find(included);

  const withIds = await withTrailingId(chain, included.receipt, found, () =>
    transactions.readSent(transactionId, hash),
  );
  const answer: DepositsResponse = {
    deposits: withIds.map((deposit) => ({
      onchainId: onchainId(id, transactionId, deposit.logIndex),
      place: `${included.block.hash}:${hash}:${deposit.logIndex}`,
      depository: options.depository ?? "",
      depositId: deposit.id,
      depositor: dialect.fromEvm(deposit.depositor),
      currency: currencyOf(deposit),
      amount: deposit.amount,
      timestamp: included.block.timestamp,
    })),
    mode: fastOf(found) === undefined ? "slow" : "fast",
  };
  if (mode === "slow") final.set(included.receipt, { transactionId, answer });
  return answer;
}

function depositsIn({ dialect, options, depository }: EvmChain, { logs }: EvmReceipt): readonly FoundDeposit[] {
  if (depository === undefined) return [];
  const { isZksyncStack = false } = options.additionalData;
  return findDeposits(logs, { depository, isZksyncStack, eventsFollowLater: dialect.eventsFollowLater });
}

/** Adds the id that follows a token transfer in the call data, if no event has an id. */
async function withTrailingId(
  { dialect, depository }: EvmChain,
  { logs }: EvmReceipt,
  found: readonly FoundDeposit[],
  readSent: () => Promise<EvmTransaction>,
): Promise<readonly FoundDeposit[]> {
  const bare = depository === undefined ? undefined : soleBareTransfer(logs, depository, found);
  if (bare === undefined || depository === undefined) return found;
  const { input } = await readSent();
  const id = dialect.findTrailingId(input, { depository, amount: bare.amount });
  return found.map((deposit) => (deposit === bare ? { ...deposit, id } : deposit));
}

/** Reads the payments and calls of a final transaction that contains the orderId. */
export async function readSettlement(
  chain: EvmChain,
  { transactionId, orderId, deadline, extraData }: SettlementRequest,
): Promise<Settlement> {
  const { dialect, options, transactions, depository, depositories } = chain;
  const hash = dialect.toHash(transactionId);
  const [{ block, receipt }, transaction] = await Promise.all([
    transactions.read(transactionId, hash),
    transactions.readSent(transactionId, hash),
  ]);
  requireAttested(block.timestamp <= deadline, `Transaction ${transactionId} executed after deadline`);
  const reference = referenceOf(transaction);
  requireAttested(reference.endsWith(orderId.slice(2)), `Transaction ${transactionId} does not reference order id`);
  const deposits = await withTrailingId(chain, receipt, depositsIn(chain, receipt), () => Promise.resolve(transaction));
  const isDeposit = deposits.some(({ id }) => id === orderId);
  const { logs } = receipt;
  // Lazy, because only payments through a contract need the calls.
  const fillContract = (): Address =>
    ofOrder("extraData", () => decodeFillContract(extraData).toLowerCase() as Address);

  const paidNative = (recipient: Address): bigint => {
    const isDirect = transaction.to === recipient && (!dialect.directStartsWithId || reference.startsWith(orderId));
    return isDirect ? transaction.value : nativePayment(logs, fillContract(), recipient);
  };
  const place = `${block.hash}:${hash}`;
  return {
    place,
    depositedInto: isDeposit ? options.depository : undefined,
    paidTo({ recipient, currency }) {
      const to = dialect.toEvm(recipient, "recipient");
      const token = dialect.toEvm(currency, "currency");
      requireNoDeposit(transactionId, recipient, to === depository);
      const native = dialect.toEvm(dialect.nativeCurrency, "currency");
      const isNative = token === native;
      // Both are the native currency, so that a payment in it must not count again as a payment in the token.
      const isSame = options.additionalData.isZksyncStack === true && token === ZKSYNC_NATIVE_TOKEN;
      return {
        place: `${place}:${isSame ? native : token}:${to}`,
        amount: isNative ? paidNative(to) : tokenPayment(logs, token, to, depositories),
      };
    },
    hasMadeCalls(calls: readonly Hex[]) {
      if (!dialect.readsCalls) return withoutCalls(dialect.vmType).hasMadeCalls(calls);
      const contract = fillContract();
      return ofOrder("calls", () => madeCalls(logs, contract, calls));
    },
  };
}

/** @throws {@link AttestationRefusedError} if the field of the caller's order is malformed */
function ofOrder<Value>(field: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedDataError) throw new AttestationRefusedError(`Malformed ${field} of the order`);
    throw error;
  }
}

/** @throws {@link MalformedDataError} for a malformed payload */
export function decodeWithdrawal(dialect: EvmDialect, payload: Hex): Withdrawal {
  const withdrawal = decodeEvmWithdrawal(payload);
  return {
    payload,
    withdrawalId: hashEvmWithdrawal(withdrawal),
    expiration: withdrawal.expiration,
    payout() {
      const { currency, recipient, amount } = withdrawnByEvm(withdrawal);
      return {
        currency: currency === zeroAddress ? dialect.nativeCurrency : dialect.fromEvm(currency),
        recipient: dialect.fromEvm(recipient),
        amount,
      };
    },
  };
}

/**
 * Reads the status at the latest final block: executed if the depository has recorded the withdrawal, and expired only
 * if both that block and the latest block, minus the time of finality, are past the expiration.
 */
export async function readWithdrawalStatus(
  { dialect, reader, finality, depository: primary }: EvmChain,
  { withdrawalId, expiration }: Withdrawal,
  hints: WithdrawalHints,
): Promise<WithdrawalStatus> {
  const depository = hints.depository === undefined ? primary : dialect.toEvm(hints.depository, "depository");
  requireAttested(depository !== undefined, "Chain has no depository configured");
  if (!isHex(withdrawalId)) throw malformed("its id is not hex");
  const latest = await reader.latest();
  const finalNumber = Math.max(latest.number - finality.blocks, 0);
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: "callRequests", args: [withdrawalId] });
  const [answer, finalBlock] = await Promise.all([
    reader.call(depository, data, dialect.callsAtPastBlocks ? finalNumber : undefined),
    reader.blockAt(finalNumber),
  ]);
  // An empty result means that the address has no contract.
  if (finalBlock === undefined || answer === "0x") throw malformed("the depository returned nothing");
  if (hexToBigInt(answer) === 1n) return 1;
  const isExpired =
    BigInt(finalBlock.timestamp) > expiration && BigInt(latest.timestamp - finality.seconds) > expiration;
  return isExpired ? 2 : 0;
}

function malformed(reason: string): MalformedDataError {
  return new MalformedDataError({ what: "the withdrawal", path: "", reason });
}
