import { type Hex, slice } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "../../chains/address.ts";
import type { DecodedCall, DecodedFunctionCall } from "../decode/decodedCall.ts";
import { findKnownFunction } from "../decode/knownFunctions.ts";
import type { KnownFunction } from "../decode/knownFunction.ts";
import { readAccount, readAmount, readArgument, readToken } from "../decode/readArgument.ts";
import { isUnlimited } from "./isUnlimited.ts";
import type { CheckedAmount, Operation, TakeOperation } from "./operation.ts";
import type { CallFacts, CheckedContracts } from "./parameters.ts";

/** Uniswap's newer routers take it for their caller. */
const CALLER_PLACEHOLDER = "0x0000000000000000000000000000000000000001";

/** What is known around the calls. */
export interface Surroundings {
  readonly contracts: CheckedContracts;
  readonly facts: CallFacts;
}

/** What calls do to the router's funds, as far as the kit knows their functions. */
export function listOperations(calls: readonly DecodedCall[], known: Surroundings): Operation[] {
  return calls.flatMap((call, index) => operationsOf(call, index, known));
}

function operationsOf(call: DecodedCall, index: number, known: Surroundings): Operation[] {
  // What others make of what they were sent is not the router's any more.
  if (!call.isByRouter) return [];
  const isSelf = isSameAddress(call.to, known.contracts.router);
  return [
    ...valueOf(call, index),
    { kind: "call", index, call, isSelf },
    ...(call.kind === "function" ? functionOperations(call, index, isSelf, known) : []),
  ];
}

/** The native that a call sends. What is no amount has a rule of its own. */
function nativeOf({ value }: DecodedCall): bigint {
  return /^\d{1,78}$/u.test(value) ? BigInt(value) : 0n;
}

/** Whether a call brings as much native as it takes: the wrapped native is paid so, and a pool's native coin. */
function isPaidInNative(call: DecodedFunctionCall, path: string): boolean {
  const paid = nativeOf(call);
  const taken = path === "@balance" ? undefined : readAmount(call.args, path);
  return paid > 0n && taken !== undefined && paid >= taken;
}

function valueOf(call: DecodedCall, index: number): Operation[] {
  const { to } = call;
  // What a ViaCall sends is listed there.
  const amount = nativeOf(call);
  if (amount === 0n) return [];
  return [{ kind: "send", index, token: EVM_NATIVE_CURRENCY, to, amount, isSweep: false }];
}

function functionOperations(
  call: DecodedFunctionCall,
  index: number,
  isSelf: boolean,
  known: Surroundings,
): Operation[] {
  if (isSelf) return selfOperations(call, index, known);
  const { to, args } = call;
  const amount = readAmount(args, "amount") ?? 0n;
  switch (call.signature) {
    case "approve(address,uint256)":
    case "increaseAllowance(address,uint256)": {
      const spender = readAccount(args, "spender") ?? "";
      const isAdded = call.name !== "approve";
      return [{ kind: "approve", index, token: to, spender, amount, isAdded, isViaCall: false }];
    }
    case "transfer(address,uint256)":
      return [{ kind: "send", index, token: to, to: readAccount(args, "to") ?? "", amount, isSweep: false }];
    default:
      return [
        ...protocolOperations(call, index, known),
        ...call.calls.flatMap((inner) => operationsOf(inner, index, known)),
      ];
  }
}

/** What the router does when it calls itself (PROTOCOL, section 3). */
function selfOperations({ name, args, calls }: DecodedFunctionCall, index: number, known: Surroundings): Operation[] {
  const amountAt = (path: string): CheckedAmount => {
    const amount = readAmount(args, path);
    return amount === undefined || amount === 0n ? "balance" : amount;
  };
  const tokens = (readArgument(args, "tokens") ?? []) as readonly string[];
  const inner = calls.map((call) => operationsOf(call, index, known));
  switch (name) {
    case "cleanupErc20s":
      return tokens.map((token, place) => ({
        kind: "send",
        index,
        token,
        to: readAccount(args, `recipients.${place}`) ?? "",
        amount: amountAt(`amounts.${place}`),
        isSweep: true,
      }));
    case "cleanupNative":
      return [nativeSend(readAccount(args, "recipient") ?? "", amountAt("amount"), index)];
    case "cleanupNativeViaCall":
      return [nativeSend(readAccount(args, "to") ?? "", amountAt("amount"), index), ...inner.flat()];
    case "cleanupErc20sViaCall":
      return tokens.flatMap((token, place): Operation[] => [
        {
          kind: "approve",
          index,
          token,
          spender: readAccount(args, `tos.${place}`) ?? "",
          amount: amountAt(`amounts.${place}`),
          isAdded: false,
          isViaCall: true,
        },
        ...(inner[place] ?? []),
      ]);
    case "multicall":
      // All native that is left goes to its refundTo.
      return [...inner.flat(), nativeSend(readAccount(args, "refundTo") ?? "", "balance", index)];
    default:
      return [];
  }
}

function nativeSend(to: string, amount: CheckedAmount, index: number): Operation {
  return { kind: "send", index, token: EVM_NATIVE_CURRENCY, to, amount, isSweep: true };
}

function protocolOperations(call: DecodedFunctionCall, index: number, known: Surroundings): Operation[] {
  const { takes, gives } = findKnownFunction(slice(call.data.toLowerCase() as Hex, 0, 4))?.known ?? {};
  const operations: Operation[] = [];
  if (takes !== undefined) {
    const take = takeOf(call, takes, index, known);
    // A contract needs no approval for its own token.
    const isOwn = take.token !== undefined && isSameAddress(take.token, call.to);
    if (!isOwn && !isPaidInNative(call, takes.amount)) operations.push(take);
    else if (isOwn && take.amount !== undefined) {
      operations.push({ kind: "send", index, token: call.to, to: call.to, amount: take.amount, isSweep: false });
    }
  }
  if (gives === undefined) return operations;
  const recipient = gives.recipient === "@caller" ? undefined : readAccount(call.args, gives.recipient);
  const isRouter = recipient === undefined || isSameAddress(recipient, known.contracts.router);
  if (isRouter || recipient === CALLER_PLACEHOLDER) {
    const token = readToken(call.args, gives.token, call.to);
    const { isPerhapsNative = false, cure } = gives;
    operations.push({ kind: "gain", index, token, isPerhapsNative, signature: call.signature, cure });
  }
  return operations;
}

function takeOf(
  { to, args }: DecodedFunctionCall,
  takes: NonNullable<KnownFunction["takes"]>,
  index: number,
  { contracts, facts }: Surroundings,
): TakeOperation {
  const { proxies = [] } = contracts;
  const { accounts = [] } = facts;
  const token =
    takes.token === "@unknown"
      ? (proxies.find(({ address }) => isSameAddress(address, to))?.inputToken ??
        accounts.find(({ address }) => isSameAddress(address, to))?.asset)
      : readToken(args, takes.token, to);
  const amount = takes.amount === "@balance" ? "balance" : readAmount(args, takes.amount);
  // The maximum stands for all of a debt, and for whatever is there.
  const isBounded = amount === undefined || amount === "balance" || !isUnlimited(amount);
  return { kind: "take", index, spender: to, token, amount: isBounded ? amount : undefined };
}
