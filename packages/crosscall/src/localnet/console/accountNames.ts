import type { Address } from "viem";

import { isEvmNative } from "@crosscall/protocol/chains";
import { localAccountList, relayerAccount } from "../devchain/accounts.ts";
import { ORACLE_SIGNERS } from "../devchain/oracleHub.ts";
import type { ChainReader } from "../market/market.ts";
import { markup, type Markup } from "../../replay/report/html/markup.ts";
import { copyable } from "./elements.ts";

export type AccountNames = Readonly<Record<Address, string>>;

/** Returns the names of the network's accounts and contracts, by address in lower case. */
export function accountNames({ chains }: ChainReader): AccountNames {
  const named: readonly (readonly [string, string])[] = [
    ...[...chains.values()].flatMap(({ contracts, tokens }) => [
      ...Object.entries(contracts).map(([name, address]) => [String(address), toWords(name)] as const),
      ...tokens.map(({ address, symbol }) => [address, symbol] as const),
    ]),
    ...localAccountList.map(({ name, address }) => [address, name] as const),
    ...ORACLE_SIGNERS.map((address, index) => [address, `oracle ${index + 1}`] as const),
    [relayerAccount.address, "relayer"],
  ];
  const accounts = named.filter(([address]) => !isEvmNative(address));
  return Object.fromEntries(accounts.map(([address, name]) => [address.toLowerCase(), name])) as AccountNames;
}

/** Converts `vaultProxy` to `vault proxy`. */
function toWords(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
}

/** Renders an account with its name, if it has one, and a copy button. */
export function accountLabel(names: AccountNames, account: string): Markup {
  const name = Object.entries(names).find(([address]) => address === account.toLowerCase())?.[1];
  return name === undefined ? copyable(account) : markup`${name} ${copyable(account)}`;
}
