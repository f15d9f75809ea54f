import { isNative } from "./isNative.ts";

/** A token in a sentence. */
export function nameToken(token: string): string {
  if (token === "@nft") return "an NFT";
  return isNative(token) ? "native currency" : token;
}
