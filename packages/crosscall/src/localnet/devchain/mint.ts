import { type Address, encodeFunctionData, parseAbi } from "viem";

import type { OwnTransaction } from "./sendAll.ts";

const MINT_ABI = parseAbi(["function mint(address to, uint256 amount)"]);
const MINT_GAS = 150_000n;

/** Anyone may mint the local tokens, except wrapped native currency. */
export function mintTransaction(token: Address, to: Address, amount: bigint): OwnTransaction {
  return {
    to: token,
    data: encodeFunctionData({ abi: MINT_ABI, functionName: "mint", args: [to, amount] }),
    gas: MINT_GAS,
  };
}
