import { isSameAddress } from "@crosscall/protocol/chains";
import type { DecodedCall } from "../decode/decodedCall.ts";
import { OPAQUE_COMMANDS } from "../decode/protocols/universalRouter.ts";
import {
  type CallOperation,
  type CheckedAmount,
  type GainOperation,
  isOpaque,
  isUnlimited,
  type Operation,
  type SendOperation,
  type TakeOperation,
} from "./operation.ts";

export interface FollowedCall {
  readonly operation: CallOperation;
  readonly held: readonly string[];
}

/** Use of a token after its cleanup. */
export interface LateUse {
  readonly token: string;
  /** Index of the cleanup in `txs`. */
  readonly sweptAt: number;
  readonly usedAt: number;
}

/** Use of more than the router can hold, in the smallest unit. */
export interface Shortfall {
  readonly operation: TakeOperation | SendOperation;
  readonly token: string;
  readonly held: bigint;
  readonly used: bigint;
}

export interface Holdings {
  readonly calls: readonly FollowedCall[];
  readonly lateUses: readonly LateUse[];
  readonly shortfalls: readonly Shortfall[];
  /** Gains of named tokens without a later use or cleanup. */
  readonly unclaimed: ReadonlySet<GainOperation>;
  /** Amounts of transfers of the whole balance, if they are known. */
  readonly swept: ReadonlyMap<SendOperation, bigint>;
  /** Possible remainders in the smallest unit, by token in lower case. */
  readonly left: ReadonlyMap<string, CheckedAmount>;
}

export interface FollowHoldingsParameters {
  readonly operations: readonly Operation[];
  readonly delivered: readonly { readonly token: string; readonly amount: CheckedAmount }[];
  /** Whether a spender takes the router's whole balance, if its function can. */
  readonly takesAll: (spender: string) => boolean;
}

/** Whether a function can return tokens that are not in its arguments. */
function returnsUnknown(call: DecodedCall): boolean {
  if (call.kind !== "function") return false;
  if (call.family === "Multicall3") return true;
  const isOther = (inner: DecodedCall): boolean =>
    inner.kind === "function" && (OPAQUE_COMMANDS.has(inner.name) || returnsUnknown(inner));
  return call.family === "universal router" && call.calls.some(isOther);
}

interface Approved {
  readonly token: string;
  readonly spender: string;
  readonly amount: CheckedAmount;
}

export function followHoldings({ operations, delivered, takesAll }: FollowHoldingsParameters): Holdings {
  const held = new Map<string, CheckedAmount>();
  const sweptAt = new Map<string, number>();
  const approved = new Map<string, Approved>();
  const unclaimed = new Set<GainOperation>();
  // Other balances of the router are unknown, as are all balances after an unknown call.
  const counted = new Set<string>();
  const calls: FollowedCall[] = [];
  const lateUses: LateUse[] = [];
  const shortfalls: Shortfall[] = [];
  const swept = new Map<SendOperation, bigint>();
  for (const { token, amount } of delivered) {
    counted.add(token.toLowerCase());
    if (amount !== 0n) held.set(token.toLowerCase(), amount);
  }

  const drop = (key: string): void => {
    held.delete(key);
    for (const gained of unclaimed) if (gained.token?.toLowerCase() === key) unclaimed.delete(gained);
  };
  const remove = (token: string, amount: CheckedAmount): void => {
    const key = token.toLowerCase();
    const before = held.get(key);
    if (amount === "balance") drop(key);
    if (amount === "balance" || before === undefined || before === "balance") return;
    if (before > amount) held.set(key, before - amount);
    else drop(key);
  };
  /** Keeps a remainder, because the amount is not certainly used. */
  const keep = (token: string): void => {
    if (held.has(token.toLowerCase())) held.set(token.toLowerCase(), "balance");
  };
  const use = (operation: TakeOperation | SendOperation, token: string, amount?: CheckedAmount): void => {
    const key = token.toLowerCase();
    const before = held.get(key) ?? 0n;
    const swept = sweptAt.get(key);
    if (swept !== undefined && !held.has(key)) lateUses.push({ token, sweptAt: swept, usedAt: operation.index });
    else if (counted.has(key) && typeof amount === "bigint" && before !== "balance" && before < amount) {
      shortfalls.push({ operation, token, held: before, used: amount });
    }
    if (amount !== undefined) remove(token, amount);
  };
  const gain = (token: string, amount: bigint | undefined): void => {
    const key = token.toLowerCase();
    const before = held.get(key) ?? 0n;
    sweptAt.delete(key);
    const isExact = amount !== undefined && amount !== 0n && before !== "balance";
    held.set(key, isExact ? before + amount : "balance");
  };
  const gainUnknown = (): void => {
    sweptAt.clear();
    counted.clear();
  };

  for (const operation of operations) {
    switch (operation.kind) {
      case "call": {
        calls.push({ operation, held: [...held.keys()] });
        const { call } = operation;
        if (returnsUnknown(call)) counted.clear();
        if (!isOpaque(call) || operation.isSelf) break;
        for (const [key, { token, spender, amount }] of approved) {
          if (!isSameAddress(spender, call.to) || isUnlimited(amount)) continue;
          // Assumes that an exact approval is for one use.
          approved.delete(key);
          if (operation.mayFail) keep(token);
          else remove(token, amount);
        }
        gainUnknown();
        break;
      }
      case "approve": {
        const { token, spender, amount, isAdded } = operation;
        const key = `${token} ${spender}`.toLowerCase();
        const before = isAdded ? (approved.get(key)?.amount ?? 0n) : 0n;
        const sum = before === "balance" || amount === "balance" ? "balance" : before + amount;
        approved.set(key, { token, spender, amount: sum });
        break;
      }
      case "take": {
        const { token, spender, amount, isMaximum } = operation;
        if (token === undefined) break;
        const key = `${token} ${spender}`.toLowerCase();
        const entry = approved.get(key);
        if (entry !== undefined && typeof entry.amount === "bigint" && typeof amount === "bigint") {
          approved.set(key, { ...entry, amount: entry.amount > amount ? entry.amount - amount : 0n });
        }
        if (operation.mayFail || isMaximum || (amount === "balance" && !takesAll(spender))) {
          use(operation, token);
          keep(token);
        } else {
          use(operation, token, amount);
        }
        break;
      }
      case "send": {
        const { token, amount, index, isSweep } = operation;
        if (operation.mayFail) {
          use(operation, token);
          keep(token);
        } else if (isSweep && amount === "balance") {
          const before = held.get(token.toLowerCase());
          if (typeof before === "bigint") swept.set(operation, before);
          remove(token, amount);
          sweptAt.set(token.toLowerCase(), index);
        } else {
          use(operation, token, amount);
        }
        break;
      }
      case "gain":
        if (operation.token === undefined) gainUnknown();
        else {
          gain(operation.token, operation.amount);
          unclaimed.add(operation);
        }
        break;
      case "pay":
      case "permit2Approve":
        break;
    }
  }
  return { calls, lateUses, shortfalls, unclaimed, swept, left: held };
}
