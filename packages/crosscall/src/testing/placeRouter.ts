import type { Address, Hex } from "viem";

import { DEFAULT_ROUTER, localRouterAddress, type LocalRouterVersion } from "@crosscall/protocol/generations";
import { readArtifact } from "../artifacts.ts";
import { CONTRACT_SOURCES } from "../localnet/devchain/published.ts";
import type { TestConnection } from "./testConnection.ts";

/**
 * Deploys the local router on a test's chain at the live router's address, unless the address has code. `forkFill` does
 * this itself. Call this function earlier for contracts that store the router's address.
 *
 * @param version router version; by default, the version that the service uses
 * @returns the router's address
 */
export async function placeRouter(
  connection: TestConnection,
  version: LocalRouterVersion = DEFAULT_ROUTER,
): Promise<Address> {
  const router = localRouterAddress(version);
  await placeCode(connection, router, () => readArtifact(CONTRACT_SOURCES[`router ${version}`]).deployedBytecode);
  return router;
}

/** Sets the code of an address that has none. */
export async function placeCode(
  { provider }: TestConnection,
  address: Address,
  code: () => Hex | Promise<Hex>,
): Promise<void> {
  const existing = await provider.request({ method: "eth_getCode", params: [address, "latest"] });
  if (existing === "0x") await provider.request({ method: "hardhat_setCode", params: [address, await code()] });
}
