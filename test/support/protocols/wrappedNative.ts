import type { Signer } from "ethers";

import { deployPublished } from "./published.ts";

/** Deploys wrapped ether with the code from Ethereum mainnet, and returns its address. */
export async function deployWrappedNative(deployer: Signer): Promise<string> {
  const contract = await deployPublished(deployer, "canonical-weth/build/contracts/WETH9.json");
  return contract.getAddress();
}
