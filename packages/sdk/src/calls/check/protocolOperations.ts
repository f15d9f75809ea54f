import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import type { DecodedFunctionCall } from "../decode/decodedCall.ts";
import { type IndexedFunction, knownOf } from "../decode/knownFunctions.ts";
import type { ArgumentCondition, KnownFunction, KnownTake } from "../decode/knownFunction.ts";
import { expandPath, readAccount, readAmount, readArgument, readToken } from "../decode/readArgument.ts";
import { resolveRecipient, type SwapRouterRules } from "../decode/swapRouters.ts";
import {
  type CheckedAmount,
  type GainOperation,
  isUnlimited,
  type Operation,
  type PayOperation,
  type SendOperation,
  type TakeOperation,
} from "./operation.ts";
import type { CallFacts, CheckedContracts } from "./parameters.ts";

export interface ProtocolSurroundings {
  readonly contracts: CheckedContracts;
  readonly facts: CallFacts;
  /** Whether a token is certainly an ERC-20 without a native form. */
  readonly isErc20: (token: string) => boolean;
  /** Whether the calls approve the account for this amount of a token. */
  readonly isApprovedFor: (spender: string, amount: bigint) => boolean;
  /** Whether the calls contain a token, other than as the target of `deposit()` or `mint()`. */
  readonly isUsed: (token: string) => boolean;
  /** Permit2 on the destination chain. */
  readonly permit2: string;
}

export interface ProtocolCall {
  readonly call: DecodedFunctionCall;
  /** Index in `txs`. */
  readonly index: number;
  /** Amount that settles earlier swaps, if it is certain. */
  readonly settled?: bigint | undefined;
  /** Native currency available to the function, in wei: the value of its call, or of the delegating call. */
  readonly paid: bigint;
}

/** Lists assets that a known protocol function takes from and gives to the router. */
export function protocolOperations(place: ProtocolCall, known: ProtocolSurroundings): Operation[] {
  const { call } = place;
  const found = knownOf(call);
  if (found === undefined) return [];
  const { takes = [], gives } = functionOf(call, found, known);
  return [
    ...[takes].flat().flatMap((take) => takeOperations(place, take, found, known)),
    ...(gives === undefined ? [] : gainOperations(place, gives, found, known)),
  ];
}

const COMPOUND_MINT: KnownFunction = {
  signature: "",
  takes: { token: "@unknown", amount: "quantity" },
  gives: { token: "@target", recipient: "@caller", hint: "Sweep the target's token to the user afterwards." },
};

/** Returns the function's effects. Compound v2 mints its own token with functions of NFTs. */
function functionOf(
  { signature, to, args }: DecodedFunctionCall,
  { known }: IndexedFunction,
  { isApprovedFor, isUsed }: ProtocolSurroundings,
): KnownFunction {
  if (signature === "mint()" && isUsed(to)) return { ...COMPOUND_MINT, takes: [] };
  const isMint = signature === "mint(uint256)" && isApprovedFor(to, readAmount(args, "quantity") ?? 0n);
  return isMint ? COMPOUND_MINT : known;
}

/** Whether all conditions apply. */
export function applies({ args }: DecodedFunctionCall, conditions: readonly ArgumentCondition[] = []): boolean {
  return conditions.every(({ path, bit, is }) => {
    const value = readArgument(args, path);
    if (bit === undefined) return value === is;
    return typeof value === "bigint" && ((value >> BigInt(bit)) & 1n) === (is === true ? 1n : 0n);
  });
}

/** Whether a function takes nothing from its caller, because its amount means the router's own balance. */
export function takesFromItself(
  { args }: DecodedFunctionCall,
  { amount, isMaximum = false }: KnownTake,
  router: SwapRouterRules | undefined,
): boolean {
  // In the universal router, payerIsUser decides instead.
  if (router?.balance === undefined || router.takesBy !== "allowance" || isMaximum) return false;
  return readAmount(args, amount) === router.balance;
}

function takeOperations(
  { call, index, paid, settled }: ProtocolCall,
  take: KnownTake,
  { family, item, router }: IndexedFunction,
  known: ProtocolSurroundings,
): (TakeOperation | PayOperation | SendOperation)[] {
  const { isMaximum = false, spender: taker, payer } = take;
  if (!applies(call, take.when) || takesFromItself(call, take, router)) return [];
  if (payer !== undefined && !isSameAddress(readAccount(call.args, payer) ?? "", known.contracts.router)) return [];
  const spender = taker === "@puller" ? (known.contracts.livePuller ?? call.to) : call.to;
  const isPayable = item.stateMutability === "payable";
  let left = isPayable ? paid : 0n;
  return amountsOf(call, take).flatMap(
    ({ written, token: reference }): (TakeOperation | PayOperation | SendOperation)[] => {
      const token = tokenOf(call, reference, known);
      // The value of the call pays native currency.
      if (token !== undefined && isEvmNative(token)) return [];
      // A contract needs no approval for its own token.
      const isOwn = token !== undefined && isSameAddress(token, call.to);
      const isPaid = token === undefined || !known.isErc20(token);
      if (!isOwn && isPaid && left > 0n && typeof written === "bigint" && left >= written) {
        // If a pool has several coins, one can be native.
        left = 0n;
        return [{ kind: "pay", index, family, spender, amount: written, isMaximum }];
      }
      const amount = settled ?? boundedOf(written);
      if (isOwn) {
        if (amount === undefined) return [];
        return [{ kind: "send", index, token: call.to, to: call.to, amount, isSweep: false }];
      }
      const isExact = isMaximum && settled === undefined;
      if (router?.takesBy !== "permit2" && take.isThroughPermit2 !== true) {
        return [{ kind: "take", index, spender, token, amount, isMaximum: isExact }];
      }
      const through = { spender: known.permit2, through: spender, prepaidTo: router?.prepaidTo };
      return [{ kind: "take", index, ...through, token, amount, isMaximum: isExact }];
    },
  );
}

function tokenOf(
  { to, args }: DecodedFunctionCall,
  reference: string,
  { contracts, facts }: ProtocolSurroundings,
): string | undefined {
  if (reference !== "@unknown") return readToken(args, reference, to);
  return (
    contracts.proxies?.find(({ address }) => isSameAddress(address, to))?.inputToken ??
    facts.accounts?.find(({ address }) => isSameAddress(address, to))?.asset
  );
}

function amountsOf(
  { args }: DecodedFunctionCall,
  { amount, token, limit }: KnownTake,
): { written: TakeOperation["amount"]; token: string }[] {
  if (amount === "@balance") return [{ written: "balance", token }];
  if (!amount.includes(".*")) return [{ written: readAmount(args, amount), token }];
  return expandPath(args, amount).flatMap((index) => {
    const written = readAmount(args, amount.replace("*", index)) ?? 0n;
    const most = limit === undefined ? written : (readAmount(args, limit.replace("*", index)) ?? 0n);
    return written > 0n && most > 0n ? [{ written, token: token.replace("*", index) }] : [];
  });
}

/** Returns undefined for an unlimited amount, which means the whole debt or balance. */
function boundedOf<Amount extends CheckedAmount>(amount: Amount | undefined): Amount | undefined {
  return amount === undefined || isUnlimited(amount) ? undefined : amount;
}

/** Returns undefined also for zero, which means everything in the functions that allow it. */
function certainOf(amount: bigint | undefined): bigint | undefined {
  return amount === 0n ? undefined : boundedOf(amount);
}

function gainOperations(
  { call, index, paid }: ProtocolCall,
  { token: reference, recipient: to, amount: path, isPerhapsNative = false, hint }: NonNullable<KnownFunction["gives"]>,
  { router }: IndexedFunction,
  { contracts, isUsed }: ProtocolSurroundings,
): GainOperation[] {
  if (!isCredited(call, to, router, contracts.router)) return [];
  const isOther = call.signature === "deposit()" && !isUsed(call.to);
  const token = isOther ? undefined : readToken(call.args, reference, call.to);
  const amount = path === "@value" ? paid : path === undefined ? undefined : certainOf(readAmount(call.args, path));
  return [{ kind: "gain", index, token, amount, isPerhapsNative, signature: call.signature, hint }];
}

/** Whether a function gives its output to the account that calls it. */
function isCredited(call: DecodedFunctionCall, to: string, rules: IndexedFunction["router"], caller: string): boolean {
  if (to === "@caller") return true;
  const recipient = readAccount(call.args, to);
  if (recipient === undefined) return false;
  return isSameAddress(recipient, caller) || resolveRecipient(recipient, call.to, rules) === "caller";
}
