import { type Address, erc20Abi } from "viem";

import { isEvmNative } from "@crosscall/protocol/chains";
import { formatAmount } from "@crosscall/protocol/encoding";
import { localAccountList } from "../../devchain/accounts.ts";
import type { DevChain } from "../../devchain/devChain.ts";
import { shown } from "../../../replay/report/notation.ts";
import type { Table } from "../../../replay/report/tables.ts";
import type { ConsoleParts } from "../consoleParts.ts";

const BLOCKS = 10;

/** The latest blocks, the newest first. */
export async function blockTable({ client }: DevChain): Promise<Table> {
  const latest = await client.getBlockNumber();
  const numbers = Array.from({ length: BLOCKS }, (_, index) => latest - BigInt(index)).filter((number) => number >= 0n);
  const blocks = await Promise.all(numbers.map((blockNumber) => client.getBlock({ blockNumber })));
  return {
    title: "Latest blocks",
    columns: [
      { title: "block", isNumber: true },
      { title: "time" },
      { title: "transactions", isNumber: true },
      { title: "gas", isNumber: true },
      { title: "hash" },
    ],
    rows: blocks.map(({ number, timestamp, transactions, gasUsed, hash }) => [
      String(number),
      new Date(Number(timestamp) * 1_000).toISOString(),
      String(transactions.length),
      String(gasUsed),
      hash,
    ]),
  };
}

/** What the network's accounts and contracts hold of the chain's currencies. */
export async function balanceTable(chain: DevChain, { currencies }: Pick<ConsoleParts, "currencies">): Promise<Table> {
  const held = currencies.ofChain(chain.id).map(({ currency }) => currency);
  const accounts: readonly (readonly [string, Address])[] = [
    ...localAccountList.map(({ name, address }) => [name, address] as const),
    ["router", chain.contracts.router],
    ["depository", chain.contracts.depository],
  ];
  const balanceOf = (account: Address, currency: string): Promise<bigint> =>
    isEvmNative(currency)
      ? chain.client.getBalance({ address: account })
      : chain.client.readContract({
          address: currency as Address,
          abi: erc20Abi,
          functionName: "balanceOf",
          args: [account],
        });
  const rows = await Promise.all(
    accounts.map(async ([name, address]) => [
      name,
      address,
      ...(await Promise.all(
        held.map(async ({ address: currency, decimals }) => formatAmount(await balanceOf(address, currency), decimals)),
      )),
    ]),
  );
  return {
    title: "Accounts and balances",
    columns: [
      { title: "account" },
      { title: "address" },
      ...held.map(({ symbol }) => ({ title: shown(symbol, 20), isNumber: true })),
    ],
    rows,
  };
}

export function contractTable({ contracts }: DevChain): Table {
  return {
    title: "Contracts",
    columns: [{ title: "contract" }, { title: "address" }],
    rows: Object.entries(contracts).map(([name, address]) => [name, String(address)]),
  };
}
