import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress, PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import type { DecodedCall, DecodedFunctionCall } from "../decode/decodedCall.ts";
import { flattenCalls } from "../decode/decodedCall.ts";
import { isInnerFunction, knownOf } from "../decode/knownFunctions.ts";
import { DELEGATED } from "../decode/listInnerCalls.ts";
import { readAccount, readAmount, readArgument } from "../decode/readArgument.ts";
import type { CallOperation, CheckedAmount, Operation } from "./operation.ts";
import type { CallFacts, CheckedContracts } from "./parameters.ts";
import { settledAmounts } from "./settledAmounts.ts";
import { protocolOperations, type ProtocolSurroundings } from "./protocolOperations.ts";

export interface Surroundings {
  readonly contracts: CheckedContracts;
  readonly facts: CallFacts;
  /** Address of the currency; the zero address for native currency. */
  readonly destinationCurrency?: string;
}

/** Smallest number that counts as an amount of a token, and not as a number of NFTs. */
const LEAST_TOKEN_AMOUNT = 1_000_000n;

const PERMIT2_APPROVE = "approve(address,address,uint160,uint48)";

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
  const isApprovedFor = (spender: string, amount: bigint): boolean =>
    all.some((call) => {
      if (call.kind !== "function" || call.signature !== "approve(address,uint256)") return false;
      const approved = readAmount(call.args, "amount") ?? 0n;
      const isEnough = approved === amount || (approved > amount && amount >= LEAST_TOKEN_AMOUNT);
      return isEnough && isSameAddress(readAccount(call.args, "spender") ?? "", spender);
    });
  // Other contracts, such as those of liquid staking, also have `deposit()`, and mint a different token.
  const others = all.flatMap((call) =>
    call.kind === "function" && /^(?:deposit|mint)\(\)$/u.test(call.signature)
      ? []
      : [`${call.to} ${call.data}`.toLowerCase()],
  );
  const isUsed = (token: string): boolean => others.some((text) => text.includes(token.slice(2).toLowerCase()));
  // Permit2 has different addresses on a few chains.
  const [permit2 = PERMIT2_ADDRESS] = areTargets(PERMIT2_APPROVE);
  const known = { contracts, facts, isErc20, isApprovedFor, isUsed, permit2 };
  const operations = calls.flatMap((call, index) => operationsOf(call, index, known));
  return operations.filter((operation, place) => !isPrepaid(operation, operations.slice(0, place)));
}

/** Whether an earlier call already transfers what a contract would take. */
function isPrepaid(operation: Operation, earlier: readonly Operation[]): boolean {
  if (operation.kind !== "take" || operation.prepaidTo === undefined) return false;
  const { token = "", prepaidTo } = operation;
  return earlier.some(
    (other) => other.kind === "send" && isSameAddress(other.token, token) && isSameAddress(other.to, prepaidTo),
  );
}

function operationsOf(
  call: DecodedCall,
  index: number,
  known: ProtocolSurroundings,
  paid: bigint = nativeOf(call),
  settled?: bigint,
): Operation[] {
  // Forwarded funds no longer belong to the router.
  if (!call.isByRouter) return [];
  const isSelf = isSameAddress(call.to, known.contracts.router);
  const operations: Operation[] = [
    ...(isSelf ? [] : valueOf(call, index)),
    { kind: "call", index, call, isSelf },
    ...(call.kind === "function" ? functionOperations(call, index, { ...known, isSelf, paid, settled }) : []),
  ];
  return call.mayFail ? operations.map((operation) => ({ ...operation, mayFail: true })) : operations;
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
  {
    isSelf,
    paid,
    settled,
    ...known
  }: ProtocolSurroundings & { readonly isSelf: boolean; readonly paid: bigint; readonly settled: bigint | undefined },
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
    case "transferAndCall(address,uint256)":
    case "transferAndCall(address,uint256,bytes)": {
      const recipient = readAccount(args, "to") ?? "";
      // A transfer from the router to itself changes nothing.
      if (isSameAddress(recipient, known.contracts.router)) return [];
      return [{ kind: "send", index, token: to, to: recipient, amount, isSweep: false }];
    }
    case PERMIT2_APPROVE:
    case "lockdown((address,address)[])":
    case "transferFrom(address,address,uint160,address)":
    case "transferFrom((address,address,uint160,address)[])":
      return permit2Operations(call, index, known.contracts.router);
    default:
      return [
        ...protocolOperations({ call, index, paid, settled }, known),
        ...(isDelegated(call)
          ? delegatedOperations(call, index, { ...known, paid })
          : call.calls.flatMap((inner) => operationsOf(inner, index, known))),
      ];
  }
}

/** Lists the operations of Permit2's functions on the router's allowances. */
function permit2Operations(
  { to, args, name, signature }: DecodedFunctionCall,
  index: number,
  router: string,
): Operation[] {
  interface Entry {
    readonly token: string;
    readonly spender: string;
    readonly from: string;
    readonly to: string;
    readonly amount: bigint;
    readonly expiration: number;
  }
  const listed = readArgument(args, "transfers") ?? readArgument(args, "approvals");
  const one = Object.fromEntries(args.map((argument) => [argument.name, argument.value]));
  const entries = (listed ?? [one]) as readonly Entry[];
  if (name === "transferFrom") {
    return entries.flatMap(({ token, from, amount }): Operation[] =>
      // The router is the spender of its own tokens.
      isSameAddress(from, router)
        ? [{ kind: "take", index, spender: to, through: router, token, amount, isMaximum: false }]
        : [],
    );
  }
  return entries.map(({ token, spender, amount, expiration }) => ({
    kind: "permit2Approve",
    index,
    token,
    spender,
    ...(signature === PERMIT2_APPROVE
      ? { amount, expiration: BigInt(expiration) }
      : { amount: 0n, expiration: undefined }),
  }));
}

/** Whether inner calls have the outer caller and value. */
function isDelegated({ signature, calls }: DecodedFunctionCall): boolean {
  return DELEGATED.has(signature) || calls.some((call) => call.kind === "function" && isInner(call));
}

function isInner(call: DecodedFunctionCall): boolean {
  const known = knownOf(call);
  return known !== undefined && isInnerFunction(known);
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
  const settled = settledAmounts(calls);
  return calls.flatMap((inner) => {
    const operations = operationsOf(inner, index, known, left, settled.get(inner));
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
