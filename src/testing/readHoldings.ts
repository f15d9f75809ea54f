import { type Address, encodeFunctionData, erc20Abi, type Hex, hexToBigInt, size, slice } from "viem";

import { EVM_NATIVE_CURRENCY } from "../chains/address.ts";
import type { AllowanceChange, BalanceChange } from "../replay/replayReport.ts";
import type { StateNode } from "../replay/stateNode.ts";
import type { WatchList } from "./watchList.ts";

/** What watched accounts hold, and what they let others take; undefined where no token answers. Ordered as watched. */
export interface Holdings {
  readonly balances: readonly Holding[];
  readonly allowances: readonly (bigint | undefined)[];
}

/** What an account holds of a currency. */
interface Holding {
  readonly account: Address;
  /** The zero address is native. */
  readonly currency: Address;
  /** Smallest unit. */
  readonly amount: bigint | undefined;
}

/** Reads what a watch list names, from the latest state. */
export async function readHoldings(node: StateNode, watched: WatchList): Promise<Holdings> {
  const { tokens, accounts, nativeAccounts, allowances } = watched;
  const natives = nativeAccounts.map(async (account): Promise<Holding> => {
    const balance = (await node.request("eth_getBalance", [account, "latest"])) as Hex;
    return { account, currency: EVM_NATIVE_CURRENCY, amount: hexToBigInt(balance) };
  });
  const held = tokens.flatMap((currency) =>
    accounts.map(async (account): Promise<Holding> => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
      return { account, currency, amount: await readWord(node, currency, data) };
    }),
  );
  const allowed = allowances.map(({ token, owner, spender }) =>
    readWord(node, token, encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [owner, spender] })),
  );
  return { balances: await Promise.all([...natives, ...held]), allowances: await Promise.all(allowed) };
}

/** What changed between two readings of a watch list, with what did not. */
export function compareHoldings(
  watched: WatchList,
  before: Holdings,
  after: Holdings,
): { readonly balances: readonly BalanceChange[]; readonly allowances: readonly AllowanceChange[] } {
  return {
    balances: after.balances.flatMap(({ account, currency, amount }, index) => {
      const held = before.balances[index]?.amount;
      return amount === undefined || held === undefined ? [] : [{ account, currency, before: held, after: amount }];
    }),
    allowances: watched.allowances.flatMap((allowance, index) => {
      const [was, is] = [before.allowances[index], after.allowances[index]];
      return was === undefined || is === undefined ? [] : [{ ...allowance, before: was, after: is }];
    }),
  };
}

/** The first word that a contract answers; undefined where it does not know the call. */
async function readWord(node: StateNode, to: Address, data: Hex): Promise<bigint | undefined> {
  try {
    const answer = (await node.request("eth_call", [{ to, data }, "latest"])) as Hex;
    return size(answer) < 32 ? undefined : hexToBigInt(slice(answer, 0, 32));
  } catch (error) {
    // A node that is gone has no code of JSON-RPC.
    if (error instanceof Error && "code" in error && typeof error.code === "number") return undefined;
    throw error;
  }
}
