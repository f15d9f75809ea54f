import { isSameAddress } from "../../chains/address.ts";
import { isUnlimited } from "./isUnlimited.ts";
import type { CallOperation, CheckedAmount, Operation } from "./operation.ts";

/** A call, and the tokens that the router may hold when it is made. */
export interface FollowedCall {
  readonly operation: CallOperation;
  readonly held: readonly string[];
}

/** A use of a token that a cleanup had swept away. */
export interface LateUse {
  readonly token: string;
  /** The cleanup's entry of `txs`. */
  readonly sweptAt: number;
  readonly usedAt: number;
}

/** What the router holds as the calls go on. */
export interface Holdings {
  readonly calls: readonly FollowedCall[];
  readonly lateUses: readonly LateUse[];
  /** What may be left, smallest unit, by token in lower case. */
  readonly left: ReadonlyMap<string, CheckedAmount>;
}

/** What {@link followHoldings} takes. */
export interface FollowHoldingsParameters {
  readonly operations: readonly Operation[];
  /** What is delivered. */
  readonly delivered: readonly { readonly token: string; readonly amount: CheckedAmount }[];
  /** Whether a contract really takes all that the router has when its function says so. */
  readonly takesAll: (spender: string) => boolean;
}

/** Follows what the router holds of the tokens that the calls name. */
export function followHoldings({ operations, delivered, takesAll }: FollowHoldingsParameters): Holdings {
  const held = new Map<string, CheckedAmount>();
  const sweptAt = new Map<string, number>();
  const approved = new Map<string, { token: string; spender: string; amount: CheckedAmount }>();
  const calls: FollowedCall[] = [];
  const lateUses: LateUse[] = [];
  for (const { token, amount } of delivered) if (amount !== 0n) held.set(token.toLowerCase(), amount);

  const remove = (token: string, amount: CheckedAmount | undefined): void => {
    const key = token.toLowerCase();
    const before = held.get(key);
    if (amount === "balance") held.delete(key);
    if (amount === undefined || amount === "balance" || before === undefined || before === "balance") return;
    if (before > amount) held.set(key, before - amount);
    else held.delete(key);
  };
  const use = (token: string, index: number): void => {
    const swept = sweptAt.get(token.toLowerCase());
    if (swept !== undefined && !held.has(token.toLowerCase())) lateUses.push({ token, sweptAt: swept, usedAt: index });
  };
  const gain = (token: string | undefined): void => {
    if (token === undefined) {
      sweptAt.clear();
      return;
    }
    sweptAt.delete(token.toLowerCase());
    held.set(token.toLowerCase(), "balance");
  };

  for (const operation of operations) {
    switch (operation.kind) {
      case "call": {
        calls.push({ operation, held: [...held.keys()] });
        const { call } = operation;
        if (call.kind !== "unknown" || operation.isSelf) break;
        for (const { token, spender, amount } of approved.values()) {
          if (isSameAddress(spender, call.to) && !isUnlimited(amount)) remove(token, amount);
        }
        gain(undefined);
        break;
      }
      case "approve": {
        const { token, spender, amount } = operation;
        approved.set(`${token} ${spender}`.toLowerCase(), { token, spender, amount });
        break;
      }
      case "take":
        if (operation.token === undefined) break;
        use(operation.token, operation.index);
        if (operation.amount !== "balance" || takesAll(operation.spender)) remove(operation.token, operation.amount);
        break;
      case "send":
        if (!operation.isSweep) use(operation.token, operation.index);
        remove(operation.token, operation.amount);
        if (operation.isSweep && operation.amount === "balance") {
          sweptAt.set(operation.token.toLowerCase(), operation.index);
        }
        break;
      case "gain":
        gain(operation.token);
        break;
    }
  }
  return { calls, lateUses, left: held };
}
