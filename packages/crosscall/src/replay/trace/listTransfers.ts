import { type Address, getAddress, type Hex, hexToBigInt, size, slice, toEventSelector, zeroAddress } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import type { CallFrame, FrameLog } from "./callFrame.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { Transfer } from "../replayReport.ts";
import { type CalledData, findCalls, numberCalls } from "./orderCalls.ts";

const TRANSFER = toEventSelector("Transfer(address,address,uint256)");
const DEPOSIT = toEventSelector("Deposit(address,uint256)");
const WITHDRAWAL = toEventSelector("Withdrawal(address,uint256)");

type Movement = Omit<Transfer, "txIndex">;

/**
 * Lists transfers in order of execution: tokens from `Transfer` events, native currency from call values, and wrapped
 * native currency from `Deposit` and `Withdrawal` events if there is no `Transfer`. Omits failed calls and NFTs.
 */
export function listTransfers(root: CallFrame, plan: FillPlan): Transfer[] {
  const { indexes } = numberCalls(root, plan);
  return listIn(root, undefined, indexes);
}

/**
 * Lists the transfers of any transaction.
 *
 * @param calls calls that a router makes in the transaction; a transfer within a call has the call's index
 */
export function listMovements(root: CallFrame, calls: readonly CalledData[]): Transfer[] {
  return listIn(root, undefined, findCalls(root, calls));
}

function listIn(frame: CallFrame, outer: number | undefined, indexes: ReadonlyMap<CallFrame, number>): Transfer[] {
  if (frame.error !== undefined) return [];
  const txIndex = indexes.get(frame) ?? outer;
  const own = [readValue(frame)].flatMap((movement) => (movement === undefined ? [] : [{ ...movement, txIndex }]));
  const logged = frame.logs.flatMap((log) => {
    const movement = readTransfer(log) ?? readWrapping(log, frame);
    return movement === undefined ? [] : [{ ...movement, txIndex, position: log.position }];
  });
  const loggedAt = (position: number): Transfer[] =>
    logged.filter((each) => each.position === position).map(({ position: _position, ...transfer }) => transfer);
  return [
    ...own,
    ...frame.calls.flatMap((call, place) => [...loggedAt(place), ...listIn(call, txIndex, indexes)]),
    ...loggedAt(frame.calls.length),
  ];
}

/** Reads a transfer of native currency. Skips delegated calls, which repeat the caller's value. */
function readValue({ kind, from, to, value }: CallFrame): Movement | undefined {
  if (value === 0n || to === undefined || kind === "DELEGATECALL" || kind === "CALLCODE") return undefined;
  return { currency: EVM_NATIVE_CURRENCY, from: getAddress(from), to: getAddress(to), amount: value };
}

function readTransfer({ address, topics, data }: FrameLog): Movement | undefined {
  const [selector, from, to, ...others] = topics;
  if (selector !== TRANSFER || from === undefined || to === undefined || others.length > 0) return undefined;
  if (size(data) !== 32) return undefined;
  return { currency: getAddress(address), from: accountIn(from), to: accountIn(to), amount: hexToBigInt(data) };
}

function readWrapping({ address, topics, data }: FrameLog, frame: CallFrame): Movement | undefined {
  const [selector, word, ...others] = topics;
  if (word === undefined || others.length > 0 || size(data) !== 32) return undefined;
  const [account, amount] = [accountIn(word), hexToBigInt(data)];
  // Other contracts also emit these events, so native currency must have moved.
  const isDeposit = selector === DEPOSIT && frame.value === amount;
  const isWithdrawal = selector === WITHDRAWAL && frame.calls.some(({ value }) => value === amount);
  if (!isDeposit && !isWithdrawal) return undefined;
  const movement = isDeposit ? { from: zeroAddress, to: account } : { from: account, to: zeroAddress };
  // Some contracts also emit a transfer from or to the zero address.
  const isListed = frame.logs.some((log) => {
    const other = isSameAddress(log.address, address) ? readTransfer(log) : undefined;
    return other?.from === movement.from && other.to === movement.to && other.amount === amount;
  });
  return isListed ? undefined : { currency: getAddress(address), ...movement, amount };
}

function accountIn(word: Hex): Address {
  return getAddress(slice(word, 12));
}
