import { type Address, getAddress, hexToBigInt, maxUint256, size, slice, zeroAddress } from "viem";

import { readAccount, readAmount } from "@crosscall/sdk/kit";
import { isSameAddress } from "@crosscall/protocol/chains";
import type { CallFrame } from "../trace/callFrame.ts";
import { type AbiIndex, createAbiIndex } from "../trace/abiIndex.ts";
import { callsBefore } from "../trace/orderCalls.ts";

export interface TokenHistory {
  /** Returns the balance before the call, derived from the initial balance. */
  balance(token: Address, account: Address, first: bigint | undefined): bigint | undefined;
  /** Returns the allowance before the call, derived from the initial allowance. */
  allowance(token: Address, owner: Address, spender: Address, first: bigint | undefined): bigint | undefined;
}

type TokenEvent =
  | { readonly kind: "holds"; readonly token: Address; readonly account: string; readonly amount: bigint }
  | {
      readonly kind: "moves";
      readonly token: Address;
      readonly from: string;
      readonly to: string;
      readonly amount: bigint;
    }
  /** Effect on an allowance: set by an approval, spent, or changed by a difference. */
  | {
      readonly kind: "allows" | "spends" | "changes";
      readonly token: Address;
      readonly owner: string;
      readonly spender: string;
      readonly amount: bigint;
    };

/**
 * Tracks the effects of token calls in a trace before the call at `path`, because the state within a transaction cannot
 * be read.
 *
 * @param path path from the frame down to the call
 */
export function followTokens(frame: CallFrame, path: readonly number[]): TokenHistory {
  const index = createAbiIndex();
  const events = callsBefore(frame, path).flatMap((call) => readEvents(call, index));
  return {
    balance(token, account, first) {
      return events.reduce<bigint | undefined>((held, event) => {
        if (!isSameAddress(event.token, token)) return held;
        if (event.kind === "holds") return isSameAddress(event.account, account) ? event.amount : held;
        if (event.kind !== "moves" || held === undefined || isSameAddress(event.from, event.to)) return held;
        if (isSameAddress(event.from, account)) return held - event.amount;
        return isSameAddress(event.to, account) ? held + event.amount : held;
      }, first);
    },
    allowance(token, owner, spender, first) {
      return events.reduce<bigint | undefined>((allowed, event) => {
        if (event.kind === "holds" || event.kind === "moves") return allowed;
        const isThis = isSameAddress(event.token, token) && isSameAddress(event.owner, owner);
        if (!isThis || !isSameAddress(event.spender, spender)) return allowed;
        if (event.kind === "allows") return event.amount;
        if (event.kind === "changes") return allowed === undefined ? undefined : allowed + event.amount;
        return allowed === undefined || allowed === maxUint256 ? allowed : allowed - event.amount;
      }, first);
    },
  };
}

function readEvents({ kind, from, to, value, input, output, calls }: CallFrame, index: AbiIndex): TokenEvent[] {
  if ((kind !== "CALL" && kind !== "STATICCALL") || to === undefined || size(input) < 4) return [];
  const call = index.readCall(input);
  const [first, second, third] = call?.args.map(({ name }) => name) ?? [];
  if (call === undefined) return [];
  const token = getAddress(to);
  const account = (name: string | undefined): string => readAccount(call.args, name ?? "") ?? "";
  const amount = (name: string | undefined): bigint => readAmount(call.args, name ?? "") ?? 0n;
  const result = size(output) >= 32 ? hexToBigInt(slice(output, 0, 32)) : undefined;
  switch (`${call.item.name}/${call.args.length}`) {
    case "balanceOf/1":
      return result === undefined ? [] : [{ kind: "holds", token, account: account(first), amount: result }];
    case "allowance/2":
      return result === undefined
        ? []
        : [{ kind: "allows", token, owner: account(first), spender: account(second), amount: result }];
    case "approve/2":
      return result === 0n
        ? []
        : [{ kind: "allows", token, owner: from, spender: account(first), amount: amount(second) }];
    case "transfer/2":
      return result === 0n ? [] : [{ kind: "moves", token, from, to: account(first), amount: amount(second) }];
    case "transferFrom/3":
      return result === 0n
        ? []
        : [
            { kind: "moves", token, from: account(first), to: account(second), amount: amount(third) },
            { kind: "spends", token, owner: account(first), spender: from, amount: amount(third) },
          ];
    // Mint and burn of wrapped native currency. Other contracts also have functions with these names.
    case "deposit/0":
      return value === 0n ? [] : [{ kind: "moves", token, from: zeroAddress, to: from, amount: value }];
    case "withdraw/1":
      return calls.some((paid) => paid.value === amount(first))
        ? [{ kind: "moves", token, from, to: zeroAddress, amount: amount(first) }]
        : [];
    case "increaseAllowance/2":
    case "decreaseAllowance/2": {
      const sign = call.item.name === "increaseAllowance" ? 1n : -1n;
      const change = sign * amount(second);
      return result === 0n ? [] : [{ kind: "changes", token, owner: from, spender: account(first), amount: change }];
    }
    case "permit/7":
      return [{ kind: "allows", token, owner: account(first), spender: account(second), amount: amount(third) }];
    default:
      return [];
  }
}
