import { isEvmNative } from "../../chains/address.ts";

export function nameToken(token: string): string {
  if (token === "@nft") return "an NFT";
  return isEvmNative(token) ? "native currency" : token;
}
