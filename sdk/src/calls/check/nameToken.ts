import { isEvmNative } from "../../chains/address.ts";

/** A token in a sentence. */
export function nameToken(token: string): string {
  if (token === "@nft") return "an NFT";
  return isEvmNative(token) ? "native currency" : token;
}
