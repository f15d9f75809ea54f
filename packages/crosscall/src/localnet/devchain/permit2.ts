import { type Hex, domainSeparator, numberToHex, size, sliceHex } from "viem";

import { PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import { readPublishedBytes } from "./published.ts";

/** Uniswap publishes the runtime code inside the creation code of this helper. */
const HELPER = "@uniswap/v4-periphery/foundry-out/DeployPermit2.sol/DeployPermit2.json";

/** First bytes and size of the runtime code. */
const BEGINNING = "6040608081526004";
const CODE_BYTES = 9_152;

/** The immutables of the published code: its chain id, and its domain separator for an address of its own. */
const PUBLISHED_CHAIN_ID = 31_337;
const PUBLISHED_SEPARATOR: Hex = "0xd5a17abc3865df5c1400c0299bd4ce2eefc8114aec5f9d3dded1745783e57b98";

/** Permit2's runtime code as its constructor leaves it on this chain at {@link PERMIT2_ADDRESS}. */
export function permit2Code(chainId: number): Hex {
  const helper = readPublishedBytes(HELPER);
  const at = (helper.indexOf(BEGINNING) - 2) / 2;
  const code = sliceHex(helper, at, at + CODE_BYTES);
  const separator = domainSeparator({ domain: { name: "Permit2", chainId, verifyingContract: PERMIT2_ADDRESS } });
  const own = replaceWord(code, toWord(PUBLISHED_CHAIN_ID), toWord(chainId));
  return replaceWord(own, PUBLISHED_SEPARATOR, separator);
}

function toWord(value: number): Hex {
  return numberToHex(value, { size: 32 });
}

function replaceWord(code: Hex, from: Hex, to: Hex): Hex {
  const parts = code.split(from.slice(2));
  if (parts.length !== 2 || size(code) !== CODE_BYTES) throw new RangeError(`${HELPER} has other code than expected`);
  return parts.join(to.slice(2)) as Hex;
}
