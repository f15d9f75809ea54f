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

/**
 * Native deposits by the depository's event, token deposits by the token's, with depositor and id of the depository's
 * event if one follows (spec 5, section 4).
 *
 * @param logs in the order of the block
 */
export function findDeposits(
  logs: readonly EvmLog[],
  depository: Address,
  { isZksyncStack }: { readonly isZksyncStack: boolean },
): readonly FoundDeposit[] {
  const deposits: FoundDeposit[] = [];
  // The transfer that the next deposit event refers to.
  let transfer: number | undefined;
  for (const log of logs) {
    if (log.address === depository) {
      const native = readNativeDeposit(log);
      if (native !== undefined) {
        const { from, amount, id } = native;
        deposits.push({ logIndex: log.logIndex, depositor: from, currency: zeroAddress, amount, id });
        continue;
      }
      const event = readErc20Deposit(log);
      const spokenOf = transfer === undefined ? undefined : deposits[transfer];
      if (event !== undefined && transfer !== undefined && spokenOf !== undefined) {
        if (event.token === spokenOf.currency && event.amount === spokenOf.amount) {
          deposits[transfer] = {
            ...spokenOf,
            depositor: event.from,
            id: event.id === zeroHash ? spokenOf.id : event.id,
          };
        }
        continue;
      }
    }
    const movement = readTransfer(log);
    if (movement?.to !== depository || (isZksyncStack && movement.token === ZKSYNC_NATIVE_TOKEN)) continue;
    const { token, from, amount } = movement;
    transfer = deposits.push({ logIndex: log.logIndex, depositor: from, currency: token, amount, id: zeroHash }) - 1;
  }
  return deposits;
}

/**
 * A token deposit known only by its transfer, if it is the transaction's only deposit: its id may be appended to the
 * call.
 */
export function soleBareTransfer(deposits: readonly FoundDeposit[]): FoundDeposit | undefined {
  const transfers = deposits.filter(({ currency }) => currency !== zeroAddress);
  const [transfer] = transfers;
  return transfers.length === 1 && transfer?.id === zeroHash ? transfer : undefined;
}

/** Values with this many leading zeros are amounts or addresses. */
const IMPLAUSIBLE_ID = `0x${"0".repeat(32)}`;

/**
 * The id after a `transfer` or `transferFrom` of this amount to the depository, anywhere in the transaction's input.
 *
 * @returns zero if there is none, or more than one
 */
export function findTrailingId(input: Hex, depository: Address, amount: bigint): Hex {
  const recipient = depository.slice(2).padStart(64, "0");
  const value = amount.toString(16).padStart(64, "0");
  const pattern = new RegExp(`(?=(?:a9059cbb|23b872dd[0-9a-f]{64})${recipient}${value}([0-9a-f]{64}))`, "gu");
  const ids = new Set<string>();
  for (const match of input.slice(2).matchAll(pattern)) {
    // A match at an odd position is not on a byte boundary.
    if (match.index % 2 === 0 && match[1] !== undefined) ids.add(match[1]);
  }
  const [id] = ids;
  return ids.size !== 1 || id === undefined || `0x${id}`.startsWith(IMPLAUSIBLE_ID) ? zeroHash : `0x${id}`;
}
