import { type Hex, parseEventLogs, parseTransaction, erc20Abi, zeroAddress, type TransactionReceipt } from "viem";

import type { DevChain } from "../devchain/devChain.ts";
import type { StateChange, TransactionContents } from "../store/transactions.ts";

/** @param signed the transaction's bytes, if known */
export async function readContents(
  chain: DevChain,
  receipt: TransactionReceipt,
  signed: string | null = null,
): Promise<TransactionContents> {
  const { to, input, value } =
    signed === null ? await chain.client.getTransaction({ hash: receipt.transactionHash }) : parse(signed);
  return { to: to ?? null, input, value, stateChanges: stateChangesOf(receipt, value) };
}

function parse(signed: string) {
  const { to, data: input = "0x", value = 0n } = parseTransaction(signed as Hex);
  return { to, input, value };
}

/**
 * Reads balance changes from token transfer events and the transaction's value. Excludes gas, which is part of the fee.
 */
function stateChangesOf(
  { status, from, to, logs }: Pick<TransactionReceipt, "status" | "from" | "to" | "logs">,
  value: bigint,
): StateChange[] {
  if (status !== "success") return [];
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs });
  const movements = transfers.map(({ address, args }) => ({ currency: address, ...args }));
  if (value > 0n && to !== null) movements.unshift({ currency: zeroAddress, from, to, value });

  const sums = new Map<string, { address: string; currency: string; amount: bigint }>();
  const add = (address: Hex, currency: Hex, amount: bigint): void => {
    const key = `${address} ${currency}`.toLowerCase();
    const sum = sums.get(key) ?? { address: address.toLowerCase(), currency: currency.toLowerCase(), amount: 0n };
    sums.set(key, { ...sum, amount: sum.amount + amount });
  };
  for (const movement of movements) {
    add(movement.from, movement.currency, -movement.value);
    add(movement.to, movement.currency, movement.value);
  }
  return [...sums.values()]
    .filter(({ address, amount }) => amount !== 0n && address !== zeroAddress)
    .map(({ amount, ...rest }) => ({ ...rest, amount: amount.toString() }));
}
