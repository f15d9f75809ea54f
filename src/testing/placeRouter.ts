import type { Address } from "viem";

import { DEFAULT_ROUTER, ROUTER_ADDRESS } from "@crosscall/sdk/internal/protocol/generations/routers";
import { readArtifact } from "../artifacts.ts";
import { CONTRACT_SOURCES } from "../devchain/sources.ts";
import type { TestConnection } from "./testConnection.ts";

/**
 * Deploys the local router on a test's chain at the live router's address, unless there is code. `forkFill` does this
 * itself; contracts that store the router's address may need it before.
 *
 * @returns the router's address
 */
export async function placeRouter({ provider }: TestConnection): Promise<Address> {
  const code = await provider.request({ method: "eth_getCode", params: [ROUTER_ADDRESS, "latest"] });
  if (code === "0x") {
    const { deployedBytecode } = readArtifact(CONTRACT_SOURCES[`router ${DEFAULT_ROUTER}`]);
    await provider.request({ method: "hardhat_setCode", params: [ROUTER_ADDRESS, deployedBytecode] });
  }
  return ROUTER_ADDRESS;
}
