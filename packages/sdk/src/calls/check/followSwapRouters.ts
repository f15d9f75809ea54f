import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { type DecodedCall, type DecodedFunctionCall, flattenCalls } from "../decode/decodedCall.ts";
import { decodeCalls } from "../decode/decodeCalls.ts";
import type { KnownUse } from "../decode/knownFunction.ts";
import { type IndexedFunction, knownOf } from "../decode/knownFunctions.ts";
import { OPAQUE_COMMANDS } from "../decode/protocols/universalRouter.ts";
import { readAccount, readAmount, readToken } from "../decode/readArgument.ts";
import { resolveRecipient } from "../decode/swapRouters.ts";
import { type CheckedAmount, isOpaque, type Operation } from "./operation.ts";
import { applies } from "./protocolOperations.ts";

/** Funds that a public router holds after the calls. */
export interface KeptFunds {
  /** Index in `txs` of the call that leaves them. */
  readonly index: number;
  readonly router: string;
  /** Address of the token; the zero address for native currency; `undefined` if the calls do not contain it. */
  readonly token: string | undefined;
  /** The function that leaves them; `undefined` for a transfer to the router. */
  readonly signature: string | undefined;
}

/** `"balance"`: more than zero, but otherwise unknown. */
interface Held extends KeptFunds {
  readonly amount: CheckedAmount;
}

/** Use of funds that a public router does not hold. */
export interface EmptyUse {
  readonly index: number;
  readonly router: string;
  readonly token: string | undefined;
  readonly signature: string;
}

export interface SwapRouterFunds {
  readonly kept: readonly KeptFunds[];
  readonly empty: readonly EmptyUse[];
}

/** Tracks the funds of public routers from which anyone can take, and what other routers give to themselves. */
export function followSwapRouters(operations: readonly Operation[]): SwapRouterFunds {
  const calls = operations.flatMap((operation) => (operation.kind === "call" ? callsOf(operation.call) : []));
  const routers = [...new Set(calls.flatMap((call) => (isOfOpenRouter(call) ? [call.to.toLowerCase()] : [])))];
  const empty: EmptyUse[] = [];
  let held: Held[] = [];
  // Whether all transfers to the routers are known.
  let isCertain = true;

  const remove = (router: string, { token, amount }: Use): boolean => {
    let left = amount;
    let isFound = false;
    held = held.flatMap((entry): Held[] => {
      if (!isSameAddress(entry.router, router) || !isPossiblySame(entry.token, token)) return [entry];
      isFound = true;
      if (left === "balance" || entry.amount === "balance" || entry.amount <= left) {
        if (left !== "balance" && entry.amount !== "balance") left -= entry.amount;
        return [];
      }
      const rest = entry.amount - left;
      left = 0n;
      return [{ ...entry, amount: rest }];
    });
    return isFound;
  };
  const follow = (call: DecodedCall, index: number): void => {
    const known = call.kind === "function" && !OPAQUE_COMMANDS.has(call.name) ? knownOf(call) : undefined;
    const router = call.to.toLowerCase();
    isCertain &&= !canTransfer(call, routers);
    if (call.kind !== "function" || known === undefined) {
      // Other functions of the router can use any of its funds.
      if (call.kind !== "empty") held = held.filter((entry) => !isSameAddress(entry.router, router));
      return;
    }
    if (routers.includes(router)) {
      for (const use of usesOf(call, known)) {
        const isFound = remove(router, use);
        if (isFound || !isCertain || !use.isNeeded) continue;
        empty.push({ index, router: call.to, token: use.token, signature: call.signature });
      }
    }
    const given = gainOf(call, known, routers);
    if (given !== undefined) held.push({ ...given, index, signature: call.signature });
  };

  for (const operation of operations) {
    if (operation.kind === "send" && routers.includes(operation.to.toLowerCase())) {
      const { index, to, token, amount } = operation;
      // NATIVE_NOT_REFUNDED covers the routers of Uniswap v3, which pay with native currency instead of a token.
      const isCovered = isEvmNative(token) && !calls.some((call) => isCommandOf(call, to));
      if (!isCovered) held.push({ index, router: to, token, amount, signature: undefined });
    } else if (operation.kind === "call") {
      for (const call of callsOf(operation.call)) follow(call, operation.index);
    }
  }
  return { kept: held.map(({ amount: _, ...kept }) => kept), empty };
}

/** Functions that name accounts without a transfer to them. */
const APPROVALS: ReadonlySet<string> = new Set([
  "approve",
  "increaseAllowance",
  "decreaseAllowance",
  "permit",
  "lockdown",
]);

/** Whether a call can transfer tokens to a router without a known effect. */
function canTransfer(call: DecodedCall, routers: readonly string[]): boolean {
  if (isOpaque(call)) return true;
  if (call.kind !== "function" || routers.includes(call.to.toLowerCase())) return false;
  if (call.family === "Multicall3" || call.family === "push executor") return true;
  const { gives } = knownOf(call)?.known ?? {};
  const isKnown = gives !== undefined || APPROVALS.has(call.name) || call.name === "transfer";
  return !isKnown && routers.some((router) => call.data.toLowerCase().includes(router.slice(2)));
}

/** Returns a call, and the calls of its program, which the executor makes. */
function callsOf(call: DecodedCall): DecodedCall[] {
  const steps = call.kind === "function" ? (call.program?.steps ?? []) : [];
  return [call, ...steps.flatMap(({ target, data }) => flattenCalls(decodeCalls([{ to: target, data, value: "0" }])))];
}

/** Whether the target is a public router. Other contracts also have functions without effects, such as `multicall`. */
function isOfOpenRouter(call: DecodedCall): boolean {
  if (call.kind !== "function" || call.family === undefined) return false;
  const { router, known } = knownOf(call) ?? {};
  const hasEffects = known?.takes !== undefined || known?.uses !== undefined || known?.gives !== undefined;
  return router?.isOpen === true && (hasEffects || call.family === "universal router");
}

function isCommandOf(call: DecodedCall, router: string): boolean {
  return call.kind === "function" && call.family === "universal router" && isSameAddress(call.to, router);
}

/** Whether two tokens can be the same. An unknown token can be any token, but not native currency. */
function isPossiblySame(one: string | undefined, other: string | undefined): boolean {
  if (one !== undefined && other !== undefined) return isSameAddress(one, other);
  return !isEvmNative(one ?? "") && !isEvmNative(other ?? "");
}

interface Use {
  readonly token: string | undefined;
  readonly amount: CheckedAmount;
  /** Whether the call fails without the token. */
  readonly isNeeded: boolean;
}

/** Lists what a function uses of its router's balance. */
function usesOf(call: DecodedFunctionCall, { known, router }: IndexedFunction): Use[] {
  const { takes = [], uses } = known;
  const taken = [takes].flat().flatMap((take): Use[] => {
    if (!applies(call, take.when)) return [];
    const token = readToken(call.args, take.token, call.to);
    const isOwn = router?.balance !== undefined && readAmount(call.args, take.amount) === router.balance;
    return isOwn || (token !== undefined && isEvmNative(token)) ? [{ token, amount: "balance", isNeeded: isOwn }] : [];
  });
  return [...taken, ...(uses === undefined || !applies(call, uses.when) ? [] : useOf(call, uses, router?.balance))];
}

function useOf(call: DecodedFunctionCall, { token: reference, amount: path }: KnownUse, balance?: bigint): Use[] {
  if (path === "@part") return [];
  const token = readToken(call.args, reference, call.to);
  const amount = path === "@all" ? undefined : readAmount(call.args, path);
  // Settlements of Uniswap v4 pay the whole debt with 0.
  const isWhole = amount === undefined || amount === balance || amount === 0n;
  return [{ token, amount: isWhole ? "balance" : amount, isNeeded: path !== "@all" }];
}

/** Returns what a function gives to a public router. */
function gainOf(
  call: DecodedFunctionCall,
  { known: { gives }, router: rules }: IndexedFunction,
  routers: readonly string[],
): Pick<Held, "router" | "token" | "amount"> | undefined {
  if (gives === undefined || gives.recipient === "@caller") return undefined;
  const recipient = readAccount(call.args, gives.recipient);
  if (recipient === undefined) return undefined;
  const means = resolveRecipient(recipient, call.to, rules);
  const router = means === "self" ? call.to : recipient;
  const isTracked = (means === "self" && rules !== undefined) || routers.includes(router.toLowerCase());
  if (means === "caller" || !isTracked) return undefined;
  const amount = gives.amount === undefined ? undefined : readAmount(call.args, gives.amount);
  return { router, token: readToken(call.args, gives.token, call.to), amount: amount ?? "balance" };
}
