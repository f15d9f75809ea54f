import { type Address, type Hex, encodeFunctionData, erc20Abi, numberToHex } from "viem";

import { isEvmNative } from "@crosscall/sdk/internal/chains/address";
import type { StateNode } from "../stateNode.ts";
import { type BalanceSlot, findBalanceSlot, readTokenBalance, writeBalance } from "./balanceSlot.ts";
import { BalanceUnwritableError } from "./balanceUnwritableError.ts";

/** What {@link deal} takes. */
export interface DealParameters {
  readonly account: Address;
  /** The zero address is native. */
  readonly currency: Address;
  /** What the account has then, smallest unit. */
  readonly amount: bigint;
  /** Accounts that may hold the token, where its storage cannot be written. */
  readonly holders?: readonly Address[] | undefined;
}

/** Gives an account exactly an amount of something; what it learns of a token stays for the next time. */
export type Deal = (parameters: DealParameters) => Promise<void>;

/** The most that a transaction may have where the rules of Osaka hold (EIP-7825). */
const TRANSFER_GAS = "0x1000000";

/**
 * Makes the {@link Deal} of a node: native by balance, a token by the word of storage that holds the balance, which is
 * found by trying, else by a transfer of a holder.
 *
 * @param knownHolders accounts that may hold any of the tokens
 * @throws {@link BalanceUnwritableError} from the deal, when neither works
 */
export function createDeal(node: StateNode, knownHolders: readonly Address[] = []): Deal {
  const slots = new Map<string, BalanceSlot | undefined>();

  const slotOf = async (token: Address, account: Address): Promise<BalanceSlot | undefined> => {
    const key = `${token} ${account}`.toLowerCase();
    if (!slots.has(key)) slots.set(key, await findBalanceSlot(node, token, account));
    return slots.get(key);
  };

  return async ({ account, currency, amount, holders = [] }) => {
    if (isEvmNative(currency)) {
      await node.request("hardhat_setBalance", [account, numberToHex(amount)]);
      return;
    }
    const slot = await slotOf(currency, account);
    const isWritten =
      slot !== undefined && (await writeBalance(node, { token: currency, account, found: slot, amount }));
    if (isWritten) return;
    await transferFrom(node, { account, currency, amount, holders: [...holders, ...knownHolders] });
  };
}

async function transferFrom(
  node: StateNode,
  {
    account,
    currency,
    amount,
    holders,
  }: Required<Pick<DealParameters, "account" | "currency" | "amount">> & {
    readonly holders: readonly Address[];
  },
): Promise<void> {
  const had = (await readTokenBalance(node, currency, account)) ?? 0n;
  if (had === amount) return;
  if (had < amount) {
    for (const holder of holders) {
      const held = (await readTokenBalance(node, currency, holder)) ?? 0n;
      if (held < amount - had) continue;
      await send(node, holder, currency, account, amount - had);
      if ((await readTokenBalance(node, currency, account)) === amount) return;
    }
  } else {
    // What is too much goes where it harms nobody.
    await send(node, account, currency, holders[0] ?? currency, had - amount);
    if ((await readTokenBalance(node, currency, account)) === amount) return;
  }
  throw new BalanceUnwritableError({ token: currency, amount });
}

async function send(node: StateNode, from: Address, token: Address, to: Address, amount: bigint): Promise<void> {
  const data: Hex = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
  await node.request("hardhat_impersonateAccount", [from]);
  await node.request("hardhat_setBalance", [from, numberToHex(10n ** 24n)]);
  await node.request("eth_sendTransaction", [{ from, to: token, data, gas: TRANSFER_GAS }]);
  await node.request("hardhat_stopImpersonatingAccount", [from]);
}
