import type { Abi, Address } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress, parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { Recipe, RecipeContext, RecipeUse } from "./recipe.ts";

/** Call that mints. There is no standard for mints, so the caller specifies the function. */
interface MintFunction {
  /** Contract to call: the collection, or its minter. */
  readonly minter: Address;
  readonly abi: Abi;
  readonly functionName: string;
  /**
   * Arguments, which must contain the recipient at the top level: NFTs minted to the caller would go to the public
   * router.
   */
  readonly args: readonly unknown[];
}

/** Arguments of {@link nftMintWithNative}. The plan's amount is the total price in wei. */
export type NftMintWithNativeArguments = MintFunction;

/** Arguments of {@link nftMintWithToken}. The plan's amount is the total price. */
export interface NftMintWithTokenArguments extends MintFunction {
  /** Token of the price. */
  readonly token: Address;
  /** Spender of the price. Defaults to the minter. */
  readonly spender?: Address;
}

/** Mints NFTs for a fixed price in native currency. */
export const nftMintWithNative: Recipe<NftMintWithNativeArguments, "EXACT_OUTPUT", never, "none"> = {
  name: "nft.mintWithNative",
  about: "Takes native currency; the NFTs are minted to the recipient.",
  argumentNames: { minter: 1, abi: 1, functionName: 1, args: 1 },
  tradeTypes: ["EXACT_OUTPUT"],
  liveWays: [],
  minimum: "none",
  use: (args, context) => {
    const { minter, abi, functionName } = parseMint(args, context);
    return {
      takes: EVM_NATIVE_CURRENCY,
      input: "value",
      credits: { kind: "position", to: "recipient" },
      call: (amount) => ({ target: minter, abi, functionName, args: args.args, value: amount }),
    };
  },
};

/** Mints NFTs for a fixed price in a token. */
export const nftMintWithToken: Recipe<NftMintWithTokenArguments, "EXACT_OUTPUT", never, "none"> = {
  name: "nft.mintWithToken",
  about: "Takes a token; the NFTs are minted to the recipient.",
  argumentNames: { minter: 1, abi: 1, functionName: 1, args: 1, token: 1, spender: 1 },
  tradeTypes: ["EXACT_OUTPUT"],
  liveWays: [],
  minimum: "none",
  use: (args, context): RecipeUse => {
    const { minter, abi, functionName } = parseMint(args, context);
    return {
      takes: parseEvmAddress(args.token, "args.token"),
      input: "allowance",
      credits: { kind: "position", to: "recipient" },
      ...(args.spender === undefined ? {} : { spender: parseEvmAddress(args.spender, "args.spender") }),
      call: () => ({ target: minter, abi, functionName, args: args.args }),
    };
  },
};

function parseMint(mint: MintFunction, { recipient }: RecipeContext): MintFunction {
  if (mint.args.some((value) => typeof value === "string" && isSameAddress(value, recipient))) {
    return { ...mint, minter: parseEvmAddress(mint.minter, "args.minter") };
  }
  throw new InvalidInputError({
    field: "args.args",
    value: mint.functionName,
    reason: "the recipient is missing, so the NFT would be minted to the router, where anyone can take it",
    hint: "Use a function that mints to an address, and pass the recipient.",
  });
}
