import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { type DecodedCall, type DecodedFunctionCall, flattenCalls } from "../decode/decodedCall.ts";
import { decodeCalls } from "../decode/decodeCalls.ts";
import type { KnownTake, KnownUse } from "../decode/knownFunction.ts";
import { type IndexedFunction, knownOf } from "../decode/knownFunctions.ts";
import { listInnerCalls } from "../decode/listInnerCalls.ts";
import { OPAQUE_COMMANDS } from "../decode/protocols/universalRouter.ts";
import { readAccount, readAmount, readToken } from "../decode/readArgument.ts";
import { resolveRecipient, type SwapRouterRules } from "../decode/swapRouters.ts";
import { type CheckedAmount, isOpaque, type Operation, type SendOperation } from "./operation.ts";
import { applies, takesFromItself } from "./protocolOperations.ts";
import { paysDebt, settledAmounts } from "./settledAmounts.ts";

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

interface Held {
  readonly funds: KeptFunds;
  /** The router and the token in lower case. */
  readonly router: string;
  readonly token: string | undefined;
  /** `"balance"`: unknown, and zero only if a use of an unknown amount took everything. */
  readonly amount: CheckedAmount;
  /** Calls that may fail around the transfer to the router. */
  readonly guards: Guards;
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

/**
 * Tracks the funds of public routers from which anyone can take them, and what other routers give to themselves.
 *
 * @param operations operations of the calls
 * @param sentOf returns the amount of a transfer, if it is known
 */
export function followSwapRouters(
  operations: readonly Operation[],
  sentOf: (operation: SendOperation) => CheckedAmount,
): SwapRouterFunds {
  const steps = operations.map((operation) => ({
    operation,
    calls: operation.kind === "call" ? callsOf(operation.call) : [],
  }));
  const calls = steps.flatMap((step) => step.calls);
  const routers = [...new Set(calls.flatMap((call) => (isOfOpenRouter(call) ? [call.to.toLowerCase()] : [])))];
  const plan = { steps, routers, sentOf, guards: guardsOf(steps), settled: settlementsOf(calls) };
  // The calls do not name wrapped native currency, so it is the token that explains them best.
  const { funds: first, tokens } = follow(plan, WRAPPED);
  if (!tokens.has(WRAPPED)) return nameWrapped(first);
  const others = [...tokens].filter((token) => token !== WRAPPED && !isEvmNative(token)).toReversed();
  const candidates = others.slice(0, CANDIDATES_MAX);
  const all = [...candidates.map((token) => follow(plan, token).funds), first];
  const sizeOf = ({ kept, empty }: SwapRouterFunds): number => kept.length + empty.length;
  return nameWrapped(all.reduce((best, funds) => (sizeOf(funds) < sizeOf(best) ? funds : best)));
}

/** Wrapped native currency that no call names. */
const WRAPPED = "@wrapped";

/** Maximum number of tokens that are tried as wrapped native currency, to limit the time. */
const CANDIDATES_MAX = 16;

function nameWrapped({ kept, empty }: SwapRouterFunds): SwapRouterFunds {
  const name = <Entry extends { readonly token: string | undefined }>(entry: Entry): Entry =>
    entry.token === WRAPPED ? { ...entry, token: undefined } : entry;
  return { kept: kept.map(name), empty: empty.map(name) };
}

interface Step {
  readonly operation: Operation;
  /** The calls of a call operation. */
  readonly calls: readonly DecodedCall[];
}

/** Calls that may fail, and undo everything in them if they do: those around a call and the call itself, outermost first. */
type Guards = readonly DecodedCall[];

interface Plan {
  readonly steps: readonly Step[];
  readonly routers: readonly string[];
  readonly sentOf: (operation: SendOperation) => CheckedAmount;
  readonly guards: ReadonlyMap<DecodedCall, Guards>;
  readonly settled: ReadonlyMap<DecodedCall, bigint>;
}

/** Follows the calls with a token as wrapped native currency. Also returns the tokens that the routers handle. */
function follow(
  { steps, routers, sentOf, guards, settled }: Plan,
  wrapped: string,
): { readonly funds: SwapRouterFunds; readonly tokens: ReadonlySet<string> } {
  const empty: EmptyUse[] = [];
  const tokens = new Set<string>();
  let held: Held[] = [];
  // Whether all transfers to the routers are known.
  let isCertain = true;

  const add = (funds: KeptFunds, amount: CheckedAmount, around: Guards = []): void => {
    const token = funds.token?.toLowerCase();
    held.push({ funds, router: funds.router.toLowerCase(), token, amount, guards: around });
    if (token !== undefined) tokens.add(token);
  };
  /** Whether a call that fails leaves these funds. Otherwise, its failure also undoes the transfer to the router. */
  const survives = (entry: Held, call: DecodedCall): boolean => {
    const guard = guards.get(call)?.at(-1);
    return guard !== undefined && !entry.guards.includes(guard);
  };
  const remove = (call: DecodedCall, { token: used, amount }: Use): boolean => {
    const [router, token] = [call.to.toLowerCase(), used?.toLowerCase()];
    let left = amount;
    let isFound = false;
    if (token !== undefined) tokens.add(token);
    held = held.flatMap((entry): Held[] => {
      if (entry.router !== router || !isPossiblySame(entry.token, token)) return [entry];
      isFound = true;
      if (survives(entry, call)) return [entry];
      if (left === "all") return [];
      if (left === "part") return [{ ...entry, amount: "balance" }];
      // A fixed use of an unknown amount can leave a remainder.
      if (entry.amount === "balance") return [entry];
      const taken = entry.amount < left ? entry.amount : left;
      left -= taken;
      return taken === entry.amount ? [] : [{ ...entry, amount: entry.amount - taken }];
    });
    return isFound;
  };
  const followCall = (call: DecodedCall, index: number): void => {
    const known = call.kind === "function" && !OPAQUE_COMMANDS.has(call.name) ? knownOf(call) : undefined;
    isCertain &&= !canTransfer(call, routers);
    if (call.kind !== "function" || known === undefined) {
      // Other functions of the router can use any of its funds.
      if (call.kind !== "empty")
        held = held.filter((entry) => entry.router !== call.to.toLowerCase() || survives(entry, call));
      return;
    }
    if (routers.includes(call.to.toLowerCase())) {
      for (const use of usesOf(call, known, wrapped, settled.get(call))) {
        const isFound = remove(call, use);
        if (isFound || !isCertain || !use.isNeeded) continue;
        empty.push({ index, router: call.to, token: use.token, signature: call.signature });
      }
    }
    const given = gainOf(call, known, routers, wrapped);
    if (given === undefined) return;
    const { router, token, amount } = given;
    add({ index, router, token, signature: call.signature }, amount, guards.get(call));
  };

  let latest: DecodedCall | undefined;
  for (const [place, { operation, calls }] of steps.entries()) {
    if (operation.kind === "send" && routers.includes(operation.to.toLowerCase())) {
      const { index, to, token, isSweep } = operation;
      // NATIVE_NOT_REFUNDED covers the routers of Uniswap v3, which pay with native currency instead of a token.
      const isCovered = isEvmNative(token) && !steps.some((step) => step.calls.some((call) => isCommandOf(call, to)));
      const next = steps[place + 1]?.operation;
      // A call's value arrives before the call, and other transfers after their call.
      const by = isEvmNative(token) && !isSweep && next?.kind === "call" ? next.call : latest;
      const sent = { index, router: to, token, signature: undefined };
      if (!isCovered) add(sent, sentOf(operation), by && guards.get(by));
    } else if (operation.kind === "call") {
      latest = operation.call;
      for (const call of calls) followCall(call, operation.index);
    }
  }
  return { funds: { kept: held.map(({ funds }) => funds), empty }, tokens };
}

function guardsOf(steps: readonly Step[]): ReadonlyMap<DecodedCall, Guards> {
  const found = new Map<DecodedCall, Guards>();
  const mark = (call: DecodedCall, guards: Guards): void => {
    found.set(call, guards);
    if (call.kind !== "function") return;
    const inner = listInnerCalls(call);
    for (const [place, each] of call.calls.entries())
      mark(each, inner[place]?.mayFail === true ? [...guards, each] : guards);
  };
  for (const { calls } of steps) {
    const [call] = calls;
    if (call === undefined) continue;
    if (!found.has(call)) mark(call, []);
    const isGuarded = call.kind === "function" && call.program?.policy.kind === "fallBack";
    const guards = [...(found.get(call) ?? []), ...(isGuarded ? [call] : [])];
    // The calls of a program come after their inner calls were marked, in order.
    for (const step of calls.slice(1)) if (!found.has(step)) mark(step, guards);
  }
  return found;
}

/** Returns the amounts of settlements in swaps of Uniswap v4 that are certain. */
function settlementsOf(calls: readonly DecodedCall[]): ReadonlyMap<DecodedCall, bigint> {
  return new Map(
    calls.flatMap((call) =>
      call.kind === "function" && call.name === "V4_SWAP" ? [...settledAmounts(call.calls)] : [],
    ),
  );
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

/** Whether two tokens in lower case can be the same. An unknown token can be any token, but not native currency. */
function isPossiblySame(one: string | undefined, other: string | undefined): boolean {
  if (one !== undefined && other !== undefined) return one === other;
  return !isEvmNative(one ?? "") && !isEvmNative(other ?? "");
}

interface Use {
  readonly token: string | undefined;
  /** `"part"`: an unknown amount, which can leave a remainder. */
  readonly amount: bigint | "all" | "part";
  /** Whether the call fails without the token. */
  readonly isNeeded: boolean;
}

/** Lists what a function uses of its router's balance. */
function usesOf(
  call: DecodedFunctionCall,
  { known: { takes = [], uses }, router }: IndexedFunction,
  wrapped: string,
  settled: bigint | undefined,
): Use[] {
  const tokenAt = (reference: string): string | undefined => readTokenOr(call, reference, wrapped);
  const taken = [takes].flat().flatMap((take): Use[] => {
    if (!applies(call, take.when)) return [];
    const token = tokenAt(take.token);
    if (takesFromItself(call, take, router)) return [{ token, amount: "all", isNeeded: true }];
    if (token === undefined || !isEvmNative(token)) return [];
    return usedOf(call, take, router, settled).map((amount) => ({ token, amount, isNeeded: false }));
  });
  if (uses === undefined || uses.amount === "@part" || !applies(call, uses.when)) return taken;
  const isNeeded = uses.amount !== "@all";
  return [
    ...taken,
    ...usedOf(call, uses, router, settled).map((amount) => ({ token: tokenAt(uses.token), amount, isNeeded })),
  ];
}

/** Returns the amount of a use; empty for zero. */
function usedOf(
  call: DecodedFunctionCall,
  { amount: path, isMaximum = false }: KnownUse | KnownTake,
  router: SwapRouterRules | undefined,
  settled: bigint | undefined,
): Use["amount"][] {
  if (settled !== undefined) return [settled];
  if (path === "@all") return ["all"];
  const amount = readAmount(call.args, path);
  if (isMaximum || amount === undefined || paysDebt(call)) return ["part"];
  if (amount === router?.balance) return ["all"];
  return amount === 0n ? [] : [amount];
}

/** Returns what a function gives to a public router. */
function gainOf(
  call: DecodedFunctionCall,
  { known: { gives }, router: rules }: IndexedFunction,
  routers: readonly string[],
  wrapped: string,
): (Pick<KeptFunds, "router" | "token"> & Pick<Held, "amount">) | undefined {
  if (gives === undefined || gives.recipient === "@caller") return undefined;
  const recipient = readAccount(call.args, gives.recipient);
  if (recipient === undefined) return undefined;
  const means = resolveRecipient(recipient, call.to, rules);
  const router = means === "self" ? call.to : recipient;
  const isTracked = (means === "self" && rules !== undefined) || routers.includes(router.toLowerCase());
  if (means === "caller" || !isTracked) return undefined;
  const amount = gives.amount === undefined ? undefined : readAmount(call.args, gives.amount);
  // Zero means everything in the functions that allow it.
  const isCertain = amount !== undefined && amount !== 0n && amount !== rules?.balance;
  return { router, token: readTokenOr(call, gives.token, wrapped), amount: isCertain ? amount : "balance" };
}

function readTokenOr({ args, to }: DecodedFunctionCall, reference: string, wrapped: string): string | undefined {
  return reference === WRAPPED ? wrapped : readToken(args, reference, to);
}
