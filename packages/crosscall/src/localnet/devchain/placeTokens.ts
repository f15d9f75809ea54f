import { type Client, concat, erc20Abi, type Hex, numberToHex, size, stringToHex } from "viem";
import { call, getCode, readContract } from "viem/actions";

import { creationCode } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { readArtifact } from "../../artifacts.ts";
import { WETH9 } from "./contracts.ts";
import type { LiveToken } from "./liveChains.ts";
import { localNodeRequest } from "./node.ts";
import { CONTRACT_SOURCES, readPublished } from "./published.ts";

/**
 * Puts tokens at their addresses. A fork keeps its own code.
 *
 * @throws {@link InvalidInputError} if the address has a contract with different decimals
 */
export async function placeTokens(client: Client, tokens: readonly LiveToken[]): Promise<void> {
  for (const token of tokens) {
    const { address, code } = token;
    const [present, planned] = await Promise.all([getCode(client, { address }), runtimeCode(client, token)]);
    if (present === planned) continue;
    if (present !== undefined) {
      await requireDecimals(client, token);
      continue;
    }
    await localNodeRequest(client, "hardhat_setCode", [address, planned]);
    if (code === "WETH9") await nameWrapped(client, token);
  }
}

/** Returns the code that the token's constructor returns. */
async function runtimeCode(client: Client, { code, name, symbol, decimals, permit }: LiveToken): Promise<Hex> {
  const artifact = code === "WETH9" ? readPublished(WETH9) : readArtifact(CONTRACT_SOURCES[code]);
  const args = code === "LiveDollar" || code === "LiveToken" ? [name, symbol, decimals, permit?.version ?? "1"] : [];
  const { data = "0x" } = await call(client, { data: creationCode({ artifact, args }) });
  return data;
}

/** Sets the name, symbol and decimals of WETH9, which are in the first storage words of the contract. */
async function nameWrapped(client: Client, { address, name, symbol, decimals }: LiveToken): Promise<void> {
  const words = [shortString(name), shortString(symbol), numberToHex(decimals, { size: 32 })];
  for (const [slot, word] of words.entries()) {
    await localNodeRequest(client, "hardhat_setStorageAt", [address, numberToHex(slot), word]);
  }
}

/** Encodes a string of up to 31 bytes as Solidity stores it. */
function shortString(text: string): Hex {
  const bytes = stringToHex(text);
  return concat([stringToHex(text, { size: 31 }), numberToHex(2 * size(bytes), { size: 1 })]);
}

async function requireDecimals(client: Client, { address, symbol, decimals }: LiveToken): Promise<void> {
  const actual = await readContract(client, { address, abi: erc20Abi, functionName: "decimals" }).catch(
    () => undefined,
  );
  if (actual === decimals) return;
  throw new InvalidInputError({
    field: "tokens",
    value: `${address}=${symbol}:${decimals}`,
    reason: actual === undefined ? "the contract at this address is not a token" : `the token has ${actual} decimals`,
    hint: actual === undefined ? "Check the address and the chain." : `Pass ${actual} decimals.`,
  });
}
