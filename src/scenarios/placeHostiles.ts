import type { ChainClient } from "../devchain/chainClient.ts";
import { BLOCK_REVERTER, GAS_EATER, REVERTER } from "./families/failScenario.ts";

/** Places the code that fails on purpose on a local chain, where it is not there yet; a reorg may have taken it away. */
export async function placeHostiles(client: ChainClient): Promise<void> {
  // Hardhat's name; anvil answers to it, too.
  const request = client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>;
  for (const { address, code } of [REVERTER, GAS_EATER, BLOCK_REVERTER]) {
    if ((await client.getCode({ address })) !== undefined) continue;
    await request({ method: "hardhat_setCode", params: [address, code] });
  }
}
