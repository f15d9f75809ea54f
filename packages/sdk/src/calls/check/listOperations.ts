import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import type { DecodedCall, DecodedFunctionCall } from "../decode/decodedCall.ts";
import { flattenCalls } from "../decode/decodedCall.ts";
import { DELEGATED } from "../decode/listInnerCalls.ts";
import { readAccount, readAmount, readArgument } from "../decode/readArgument.ts";
import type { CallOperation, CheckedAmount, Operation } from "./operation.ts";
import type { CallFacts, CheckedContracts } from "./parameters.ts";
import { protocolOperations, type ProtocolSurroundings } from "./protocolOperations.ts";

export interface Surroundings {
  readonly contracts: CheckedContracts;
  readonly facts: CallFacts;
  /** Address of the currency; the zero address for native currency. */
  readonly destinationCurrency?: string;
}

/** Lists the operations of calls to functions that crosscall knows. */
export function listOperations(
  calls: readonly DecodedCall[],
  { contracts, facts, destinationCurrency }: Surroundings,
): Operation[] {
  const all = flattenCalls(calls);
  const areTargets = (...signatures: string[]): string[] =>
    all.flatMap((call) => (call.kind === "function" && signatures.includes(call.signature) ? [call.to] : []));
  const wrapped = areTargets("deposit()");
  const erc20s = [
    ...(destinationCurrency === undefined || isEvmNative(destinationCurrency) ? [] : [destinationCurrency]),
    ...areTargets("approve(address,uint256)", "increaseAllowance(address,uint256)"),
  ].filter((token) => !wrapped.some((other) => isSameAddress(other, token)));
  const isErc20 = (token: string): boolean => erc20s.some((other) => isSameAddress(other, token));
  return calls.flatMap((call, index) => operationsOf(call, index, { contracts, facts, isErc20 }));
}

function operationsOf(
  call: DecodedCall,
  index: number,
  known: ProtocolSurroundings,
  paid: bigint = nativeOf(call),
): Operation[] {
  // Forwarded funds no longer belong to the router.
  if (!call.isByRouter) return [];
  const isSelf = isSameAddress(call.to, known.contracts.router);
  return [
    ...(isSelf ? [] : valueOf(call, index)),
    { kind: "call", index, call, isSelf },
    ...(call.kind === "function" ? functionOperations(call, index, { ...known, isSelf, paid }) : []),
  ];
}

/** Returns a call's value in wei. Ignores malformed values, which another rule reports. */
function nativeOf({ value }: DecodedCall): bigint {
  return /^\d{1,78}$/u.test(value) ? BigInt(value) : 0n;
}

function valueOf(call: DecodedCall, index: number): Operation[] {
  const { to } = call;
  // Zero for a ViaCall with the whole balance, which is a separate operation.
  const amount = nativeOf(call);
  if (amount === 0n) return [];
  return [{ kind: "send", index, token: EVM_NATIVE_CURRENCY, to, amount, isSweep: false }];
}

function functionOperations(
  call: DecodedFunctionCall,
  index: number,
  { isSelf, paid, ...known }: ProtocolSurroundings & { readonly isSelf: boolean; readonly paid: bigint },
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
        ...protocolOperations({ call, index, paid }, known),
        ...(DELEGATED.has(call.signature)
          ? delegatedOperations(call, index, { ...known, paid })
          : call.calls.flatMap((inner) => operationsOf(inner, index, known))),
      ];
  }
}

/**
 * Lists the operations of a contract's calls to itself. They share its native currency: each call can spend only what
 * earlier calls left.
 */
function delegatedOperations(
  { calls }: DecodedFunctionCall,
  index: number,
  { paid, ...known }: ProtocolSurroundings & { readonly paid: bigint },
): Operation[] {
  let left = paid;
  return calls.flatMap((inner) => {
    const operations = operationsOf(inner, index, known, left);
    for (const operation of operations) {
      if (operation.kind === "pay" && !operation.isMaximum) left -= operation.amount;
      else if (isNativeRefund(operation)) left = 0n;
    }
    return operations;
  });
}

/** Lists the operations of the router's functions (spec 4, section 3). */
function selfOperations(
  { name, args, calls }: DecodedFunctionCall,
  index: number,
  known: ProtocolSurroundings,
): Operation[] {
  const amountAt = (path: string): CheckedAmount => {
    const amount = readAmount(args, path);
    return amount === undefined || amount === 0n ? "balance" : amount;
  };
  // Transfers from the router to itself change nothing.
  const nativeSend = (to: string, amount: CheckedAmount): Operation[] =>
    amount !== "balance" && isSameAddress(to, known.contracts.router)
      ? []
      : [{ kind: "send", index, token: EVM_NATIVE_CURRENCY, to, amount, isSweep: true }];
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
      return nativeSend(readAccount(args, "recipient") ?? "", amountAt("amount"));
    case "cleanupNativeViaCall":
      // The inner call's operations already include a fixed amount.
      return amountAt("amount") === "balance"
        ? [...nativeSend(readAccount(args, "to") ?? "", "balance"), ...inner.flat()]
        : inner.flat();
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
      // The remaining native currency goes to `refundTo`.
      return [...inner.flat(), ...nativeSend(readAccount(args, "refundTo") ?? "", "balance")];
    default:
      return [];
  }
}

/** Whether a call returns all native currency, as Uniswap's periphery does. */
export function isNativeRefund(operation: Operation): operation is CallOperation {
  return operation.kind === "call" && operation.call.kind === "function" && operation.call.signature === "refundETH()";
}
