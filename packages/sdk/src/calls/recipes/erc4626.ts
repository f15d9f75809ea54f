import { type Address, parseAbi } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";
import type { Recipe } from "./recipe.ts";

export interface Erc4626DepositArguments {
  readonly vault: Address;
  /** The vault's asset. */
  readonly asset: Address;
}

const vaultAbi = parseAbi(["function deposit(uint256 assets, address receiver) returns (uint256 shares)"]);

/** Deposits into an ERC-4626 vault, at the share price at the time of the fill. */
export const erc4626Deposit: Recipe<
  Erc4626DepositArguments,
  "EXACT_INPUT" | "EXACT_OUTPUT",
  "proxy" | "program",
  "live"
> = {
  name: "erc4626.deposit",
  about: "Takes the vault's asset; the vault mints its shares to the recipient.",
  argumentNames: { vault: 1, asset: 1 },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["proxy", "program"],
  minimum: "live",
  proxyFunction: "execute",
  use: (args, { recipient }) => {
    const vault = parseEvmAddress(args.vault, "args.vault");
    return {
      takes: parseEvmAddress(args.asset, "args.asset"),
      input: "allowance",
      takesExactly: true,
      credits: { kind: "token", token: vault, to: "recipient" },
      call: (amount) => ({ target: vault, abi: vaultAbi, functionName: "deposit", args: [amount, recipient] }),
    };
  },
};
