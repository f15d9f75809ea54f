import {
  type Address,
  decodeAbiParameters,
  erc20Abi,
  getAbiItem,
  type Hex,
  keccak256,
  size,
  toEventSelector,
  zeroAddress,
  zeroHash,
} from "viem";

import { depositoryAbi, routerAbi } from "@crosscall/protocol/abi";
import { hashedCallAbi } from "@crosscall/protocol/generations";
import { decodeOrderCall } from "@crosscall/protocol/order";
import type { EvmLog, EvmTransaction } from "./evmReader.ts";

const TRANSFER = toEventSelector(getAbiItem({ abi: erc20Abi, name: "Transfer" }));
const NATIVE_DEPOSIT = toEventSelector(getAbiItem({ abi: depositoryAbi, name: "RelayNativeDeposit" }));
const ERC20_DEPOSIT = toEventSelector(getAbiItem({ abi: depositoryAbi, name: "RelayErc20Deposit" }));
const NATIVE_TRANSFER = toEventSelector(getAbiItem({ abi: routerAbi, name: "SolverNativeTransfer" }));
const CALL_EXECUTED_EVENT = getAbiItem({ abi: routerAbi, name: "SolverCallExecuted" });
const CALL_EXECUTED = toEventSelector(CALL_EXECUTED_EVENT);
const HASHED_CALL_EXECUTED = toEventSelector(getAbiItem({ abi: hashedCallAbi, name: "SolverCallExecuted" }));

interface TransferEvent {
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/** Reads a transfer event in its strict form: two indexed addresses, and only the amount as data. */
function readTransfer({ address, topics, data }: EvmLog): TransferEvent | undefined {
  const [selector, from, to, other] = topics;
  if (selector !== TRANSFER || from === undefined || to === undefined || other !== undefined || !hasWords(data, 1)) {
    return undefined;
  }
  return { token: address, from: toAddress(from), to: toAddress(to), amount: BigInt(data) };
}

interface NativeDepositEvent {
  readonly from: Address;
  readonly amount: bigint;
  readonly id: Hex;
}

function readNativeDeposit({ topics, data }: EvmLog): NativeDepositEvent | undefined {
  if (topics[0] !== NATIVE_DEPOSIT || topics.length > 1 || !hasWords(data, 3)) return undefined;
  return { from: toAddress(wordOf(data, 0)), amount: BigInt(wordOf(data, 1)), id: wordOf(data, 2) };
}

interface Erc20DepositEvent extends NativeDepositEvent {
  readonly token: Address;
}

function readErc20Deposit({ topics, data }: EvmLog): Erc20DepositEvent | undefined {
  if (topics[0] !== ERC20_DEPOSIT || topics.length > 1 || !hasWords(data, 4)) return undefined;
  return {
    from: toAddress(wordOf(data, 0)),
    token: toAddress(wordOf(data, 1)),
    amount: BigInt(wordOf(data, 2)),
    id: wordOf(data, 3),
  };
}

interface NativeTransferEvent {
  readonly to: Address;
  readonly amount: bigint;
}

function readNativeTransfer({ topics, data }: EvmLog): NativeTransferEvent | undefined {
  if (topics[0] !== NATIVE_TRANSFER || topics.length > 1 || !hasWords(data, 2)) return undefined;
  return { to: toAddress(wordOf(data, 0)), amount: BigInt(wordOf(data, 1)) };
}

/** A call by the router, with hex in lower case. */
interface CallEvent {
  readonly to: Address;
  readonly dataHash: Hex;
  /** Wei. */
  readonly value: bigint;
}

/** Reads a call. Newer routers emit the hash of the call data instead of the call data. */
function readCall({ topics, data }: EvmLog): CallEvent | undefined {
  if (topics.length !== 1) return undefined;
  if (topics[0] === HASHED_CALL_EXECUTED && hasWords(data, 3)) {
    return { to: toAddress(wordOf(data, 0)), dataHash: wordOf(data, 1), value: BigInt(wordOf(data, 2)) };
  }
  if (topics[0] !== CALL_EXECUTED) return undefined;
  try {
    const [to, callData, value] = decodeAbiParameters(CALL_EXECUTED_EVENT.inputs, data);
    return { to: to.toLowerCase() as Address, dataHash: keccak256(callData), value };
  } catch {
    return undefined;
  }
}

function hasWords(data: Hex, count: number): boolean {
  return data.length === 2 + 64 * count;
}

function wordOf(data: Hex, index: number): Hex {
  return `0x${data.slice(2 + 64 * index, 66 + 64 * index)}`;
}

function toAddress(word: Hex): Address {
  return `0x${word.slice(26)}`;
}

export interface FoundDeposit {
  readonly logIndex: number;
  readonly depositor: Address;
  readonly currency: Address;
  readonly amount: bigint;
  /** Id of the deposit; zero if there is none. */
  readonly id: Hex;
}

/**
 * Token that emits events for native currency on zkSync chains. These events are ignored, because the depository emits
 * its own event for a native deposit.
 */
export const ZKSYNC_NATIVE_TOKEN = "0x000000000000000000000000000000000000800a";

interface FindOptions {
  readonly depository: Address;
  readonly isZksyncStack: boolean;
  /** Whether other transfers to the depository can come between a transfer and its event. */
  readonly eventsFollowLater: boolean;
}

/**
 * Finds native deposits from the depository's event, and token deposits from the token's event. The last matching event
 * of the depository after a token deposit contains its depositor and id. A transfer from the depository to itself is not
 * a deposit.
 *
 * @param logs logs in block order
 */
export function findDeposits(logs: readonly EvmLog[], options: FindOptions): readonly FoundDeposit[] {
  const { depository, isZksyncStack } = options;
  const transfers = logs.flatMap((log, position) => {
    const movement = readTransfer(log);
    return movement?.to === depository ? [{ position, movement }] : [];
  });
  const found = new Map<number, FoundDeposit>();
  for (const [position, log] of logs.entries()) {
    const native = log.address === depository ? readNativeDeposit(log) : undefined;
    if (native === undefined) continue;
    const { from, amount, id } = native;
    found.set(position, { logIndex: log.logIndex, depositor: from, currency: zeroAddress, amount, id });
  }
  for (const [index, { position, movement }] of transfers.entries()) {
    const { token, from, amount } = movement;
    if (from === depository || (isZksyncStack && token === ZKSYNC_NATIVE_TOKEN)) continue;
    const logIndex = logs[position]?.logIndex ?? 0;
    const isSame = (other: { readonly token: Address; readonly amount: bigint }): boolean =>
      other.token === token && other.amount === amount;
    // If there are several such transfers, an event that follows another transfer could belong to either transfer.
    const isOnly = transfers.filter((other) => isSame(other.movement)).length === 1;
    const end = options.eventsFollowLater && isOnly ? logs.length : transfers[index + 1]?.position;
    let deposit: FoundDeposit = { logIndex, depositor: from, currency: token, amount, id: zeroHash };
    for (const log of logs.slice(position + 1, end)) {
      const event = log.address === depository ? readErc20Deposit(log) : undefined;
      if (event === undefined || !isSame(event)) continue;
      deposit = { ...deposit, depositor: event.from, id: event.id === zeroHash ? deposit.id : event.id };
    }
    found.set(position, deposit);
  }
  return [...found].sort(([a], [b]) => a - b).map(([, deposit]) => deposit);
}

/**
 * Finds the only transfer to the depository if no event contains its order id. The id can follow the transfer in the
 * call data.
 *
 * @param logs all logs, including transfers that are not deposits
 */
export function soleBareTransfer(
  logs: readonly EvmLog[],
  depository: Address,
  deposits: readonly FoundDeposit[],
): FoundDeposit | undefined {
  const [transfer, other] = logs.filter((log) => readTransfer(log)?.to === depository);
  if (transfer === undefined || other !== undefined) return undefined;
  return deposits.find(({ logIndex, id }) => logIndex === transfer.logIndex && id === zeroHash);
}

const ID_BYTES = 32;

/**
 * Returns the bytes that contain the orderId: the memo if it is long enough, or else the input. Only one of them
 * counts, so that a payment cannot fill two orders.
 */
export function referenceOf({ input, memo = "0x" }: EvmTransaction): Hex {
  return size(memo) < ID_BYTES ? input : memo;
}

/** Adds up the amounts in the fill contract's events. */
export function nativePayment(logs: readonly EvmLog[], fillContract: Address, recipient: Address): bigint {
  let paid = 0n;
  for (const log of logs) {
    if (log.address !== fillContract) continue;
    const payment = readNativeTransfer(log);
    if (payment?.to === recipient) paid += payment.amount;
  }
  return paid;
}

/**
 * Adds up transfers to the recipient. Omits transfers from the recipient to itself, and from depositories, because
 * anyone can execute the recipient's own withdrawal and add an orderId to the call data.
 */
export function tokenPayment(
  logs: readonly EvmLog[],
  token: Address,
  recipient: Address,
  depositories: readonly Address[] = [],
): bigint {
  const unpaid = [recipient, ...depositories];
  let paid = 0n;
  for (const log of logs) {
    if (log.address !== token) continue;
    const transfer = readTransfer(log);
    if (transfer?.to === recipient && !unpaid.includes(transfer.from)) paid += transfer.amount;
  }
  return paid;
}

/**
 * Whether the fill contract's events contain all calls of the order, in order; other calls can come in between.
 *
 * @throws {@link MalformedDataError} for a malformed call of the order
 */
export function madeCalls(logs: readonly EvmLog[], fillContract: Address, calls: readonly Hex[]): boolean {
  const made = logs.filter(({ address }) => address === fillContract).map(readCall);
  let next = 0;
  for (const encoded of calls) {
    const { to, data, value } = decodeOrderCall(encoded);
    const dataHash = keccak256(data as Hex);
    const isSame = (call: CallEvent | undefined): boolean =>
      call?.to === to.toLowerCase() && call.dataHash === dataHash && call.value.toString() === value;
    const found = made.findIndex((call, index) => index >= next && isSame(call));
    if (found === -1) return false;
    next = found + 1;
  }
  return true;
}

/** A transfer to the depository. */
interface BareTransfer {
  readonly depository: Address;
  readonly amount: bigint;
}

export type FindTrailingId = (input: Hex, transfer: BareTransfer) => Hex;

const WORD = "[0-9a-f]{64}";
const TRANSFER_CALL = `(?:a9059cbb|23b872dd${WORD})(${WORD})(${WORD})(${WORD})?`;

/**
 * Returns the 32 bytes after a `transfer` or `transferFrom` of this amount to the depository, anywhere in the input,
 * because a batch or a smart wallet can make the call. Unlike padding, an id does not start with 16 zero bytes.
 *
 * @returns zero if there is no id, or if several such calls have different ids
 */
export function findAnyTrailingId(input: Hex, { depository, amount }: BareTransfer): Hex {
  const ids = new Set<string | undefined>();
  for (const [, to = "", value, id] of input.matchAll(new RegExp(TRANSFER_CALL, "gu"))) {
    if (isDepository(to, depository) && BigInt(`0x${value}`) === amount) ids.add(id);
  }
  const [id] = ids;
  return ids.size === 1 ? toId(id) : zeroHash;
}

const TOP_LEVEL_TRANSFER = new RegExp(`^0x${TRANSFER_CALL}`, "u");

/** Finds an id only after a top-level `transfer` or `transferFrom` to the depository, of any amount. */
export function findTopLevelTrailingId(input: Hex, { depository }: BareTransfer): Hex {
  const [, to = "", , id] = TOP_LEVEL_TRANSFER.exec(input) ?? [];
  return isDepository(to, depository) ? toId(id) : zeroHash;
}

function isDepository(word: string, depository: Address): boolean {
  return word.slice(24) === depository.slice(2);
}

function toId(id: string | undefined): Hex {
  return id === undefined || id.startsWith("0".repeat(32)) ? zeroHash : `0x${id}`;
}
