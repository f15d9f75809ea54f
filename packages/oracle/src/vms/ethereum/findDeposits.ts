import { type Address, type Hex, zeroAddress, zeroHash } from "viem";

import { readErc20Deposit, readNativeDeposit, readTransfer } from "./events.ts";
import type { EvmLog } from "./evmReader.ts";

export interface FoundDeposit {
  readonly logIndex: number;
  readonly depositor: Address;
  readonly currency: Address;
  readonly amount: bigint;
  /** Zero without an id. */
  readonly id: Hex;
}

/** zkSync chains emit this token's events for native currency, which the depository reports itself. */
const ZKSYNC_NATIVE_TOKEN = "0x000000000000000000000000000000000000800a";

export interface FindOptions {
  readonly depository: Address;
  readonly isZksyncStack: boolean;
  /** Whether other transfers to the depository may be between a transfer and its event. */
  readonly eventsFollowLater: boolean;
}

/**
 * Native deposits by the depository's event, token deposits by the token's, with depositor and id of the last matching
 * event of the depository that follows (spec 5, section 4).
 *
 * @param logs in the order of the block
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
    if (isZksyncStack && token === ZKSYNC_NATIVE_TOKEN) continue;
    const logIndex = logs[position]?.logIndex ?? 0;
    const isSame = (other: { readonly token: Address; readonly amount: bigint }): boolean =>
      other.token === token && other.amount === amount;
    // With several such transfers, an event behind another one could be either's.
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
 * The only transfer to the depository, if no event names its order: an id may be behind it in the call data.
 *
 * @param logs also with transfers that are no deposits
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
