import { type Address, type Hex, zeroAddress, zeroHash } from "viem";

import { readErc20Deposit, readNativeDeposit, readTransfer } from "./events.ts";
import type { EvmCall, EvmLog } from "./evmReader.ts";

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

/**
 * The 32 bytes after a `transfer` or `transferFrom` of the deposit that the transaction itself calls on the token.
 * Transfers inside other calls have none.
 *
 * @returns zero if there are none, or if the calls of a batch differ
 */
export function findTrailingId(
  calls: readonly EvmCall[],
  { currency, amount }: Pick<FoundDeposit, "amount" | "currency">,
  depository: Address,
): Hex {
  const recipient = depository.slice(2).padStart(64, "0");
  const value = amount.toString(16).padStart(64, "0");
  const pattern = new RegExp(`^0x(?:a9059cbb|23b872dd[0-9a-f]{64})${recipient}${value}([0-9a-f]{64})`, "u");
  const ids = new Set<Hex>();
  for (const { to, input } of calls) {
    const id = to === currency ? pattern.exec(input)?.[1] : undefined;
    if (id !== undefined) ids.add(`0x${id}`);
  }
  const [id] = ids;
  return id === undefined || ids.size > 1 ? zeroHash : id;
}
