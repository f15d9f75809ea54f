import { type Address, type Hex, decodeAbiParameters, erc20Abi, getAbiItem, keccak256, toEventSelector } from "viem";

import { depositoryAbi, routerAbi } from "@crosscall/protocol/abi";
import { hashedCallAbi } from "@crosscall/protocol/generations";
import type { EvmLog } from "./evmReader.ts";

const TRANSFER = toEventSelector(getAbiItem({ abi: erc20Abi, name: "Transfer" }));
const NATIVE_DEPOSIT = toEventSelector(getAbiItem({ abi: depositoryAbi, name: "RelayNativeDeposit" }));
const ERC20_DEPOSIT = toEventSelector(getAbiItem({ abi: depositoryAbi, name: "RelayErc20Deposit" }));
const NATIVE_TRANSFER = toEventSelector(getAbiItem({ abi: routerAbi, name: "SolverNativeTransfer" }));
const CALL_EXECUTED_EVENT = getAbiItem({ abi: routerAbi, name: "SolverCallExecuted" });
const CALL_EXECUTED = toEventSelector(CALL_EXECUTED_EVENT);
const HASHED_CALL_EXECUTED = toEventSelector(getAbiItem({ abi: hashedCallAbi, name: "SolverCallExecuted" }));

export interface TransferEvent {
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/** In the strict form: two indexed addresses, and only the amount as data. */
export function readTransfer({ address, topics, data }: EvmLog): TransferEvent | undefined {
  const [selector, from, to, other] = topics;
  if (selector !== TRANSFER || from === undefined || to === undefined || other !== undefined || !hasWords(data, 1)) {
    return undefined;
  }
  return { token: address, from: toAddress(from), to: toAddress(to), amount: BigInt(data) };
}

export interface NativeDepositEvent {
  readonly from: Address;
  readonly amount: bigint;
  readonly id: Hex;
}

export function readNativeDeposit({ topics, data }: EvmLog): NativeDepositEvent | undefined {
  if (topics[0] !== NATIVE_DEPOSIT || topics.length > 1 || !hasWords(data, 3)) return undefined;
  return { from: toAddress(wordOf(data, 0)), amount: BigInt(wordOf(data, 1)), id: wordOf(data, 2) };
}

export interface Erc20DepositEvent extends NativeDepositEvent {
  readonly token: Address;
}

export function readErc20Deposit({ topics, data }: EvmLog): Erc20DepositEvent | undefined {
  if (topics[0] !== ERC20_DEPOSIT || topics.length > 1 || !hasWords(data, 4)) return undefined;
  return {
    from: toAddress(wordOf(data, 0)),
    token: toAddress(wordOf(data, 1)),
    amount: BigInt(wordOf(data, 2)),
    id: wordOf(data, 3),
  };
}

export interface NativeTransferEvent {
  readonly to: Address;
  readonly amount: bigint;
}

export function readNativeTransfer({ topics, data }: EvmLog): NativeTransferEvent | undefined {
  if (topics[0] !== NATIVE_TRANSFER || topics.length > 1 || !hasWords(data, 2)) return undefined;
  return { to: toAddress(wordOf(data, 0)), amount: BigInt(wordOf(data, 1)) };
}

/** Hex in lower case. */
export interface CallEvent {
  readonly to: Address;
  readonly dataHash: Hex;
  /** Wei. */
  readonly value: bigint;
}

/** Newer routers report the hash of the call data in place of the call data. */
export function readCall({ topics, data }: EvmLog): CallEvent | undefined {
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
