import type { Address } from "viem";

import { readArtifact } from "../chains/artifacts.ts";
import { ROUTER_ADDRESS } from "../chains/serviceAddresses.ts";
import { CONTRACT_SOURCES } from "../localnet/chains/sources.ts";
import { isContract, nodeOf, type TestConnection } from "./testNode.ts";

/**
 * Puts the stand-in of the service's router on a local chain, at the live router's address, unless code stands there.
 * `forkFill` does it by itself; contracts that are deployed with the router's address may need it before.
 *
 * @returns the router's address
 */
export async function placeRouter(connection: TestConnection): Promise<Address> {
  const node = nodeOf(connection);
  if (!(await isContract(node, ROUTER_ADDRESS))) {
    const { deployedBytecode } = readArtifact(CONTRACT_SOURCES.router);
    await node.request("hardhat_setCode", [ROUTER_ADDRESS, deployedBytecode]);
  }
  return ROUTER_ADDRESS;
}
