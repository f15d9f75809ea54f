import { type Address, type Hex, encodeFunctionData, erc20Abi, numberToHex } from "viem";

import { isEvmNative } from "@crosscall/protocol/chains";
import type { StateNode } from "../stateNode.ts";
import { type BalanceSlot, findBalanceSlot, readTokenBalance, writeBalance } from "./balanceSlot.ts";
import { BalanceUnwritableError } from "./balanceUnwritableError.ts";

export interface DealParameters {
  readonly account: Address;
  /** Zero address for native currency. */
  readonly currency: Address;
  /** The resulting balance, smallest unit. */
  readonly amount: bigint;
  /** Possible holders of the token, in case its storage cannot be written. */
  readonly holders?: readonly Address[] | undefined;
}

/** Sets a balance exactly. The slot that was found is remembered. */
export type Deal = (parameters: DealParameters) => Promise<void>;

/** Maximum gas of a transaction from Osaka on (EIP-7825). */
const TRANSFER_GAS = "0x1000000";

/**
 * Native currency by `hardhat_setBalance`; a token by its balance slot, or else by a holder's transfer.
 *
 * @param knownHolders possible holders of any token
 * @throws {@link BalanceUnwritableError} from the deal, if neither works
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
    // The excess goes to an unused address.
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
