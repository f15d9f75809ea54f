import type { Address, Hex } from "viem";

import {
  CREATE2_FACTORY,
  CREATE2_FACTORY_CODE,
  creationCode,
  DEPOSITORY_ADDRESS,
  PERMIT2_ADDRESS,
} from "@crosscall/protocol/chains";
import { ROUTER_ADDRESS } from "@crosscall/protocol/generations";
import { readArtifact } from "../artifacts.ts";
import { localAccounts } from "../localnet/devchain/accounts.ts";
import { placeCode, placeRouter } from "./placeRouter.ts";
import { CONTRACT_SOURCES, permit2Code } from "../localnet/devchain/published.ts";
import { forkedBlockOf, type TestConnection } from "./testConnection.ts";

export interface PlacedContracts {
  readonly router: Address;
  readonly depository: Address;
  readonly permit2: Address;
  /** CREATE2 factory that deploys the contracts of a release. */
  readonly create2Factory: Address;
}

const PLACED: PlacedContracts = {
  router: ROUTER_ADDRESS,
  depository: DEPOSITORY_ADDRESS,
  permit2: PERMIT2_ADDRESS,
  create2Factory: CREATE2_FACTORY,
};

/** Places the service's contracts on a new local chain at addresses without code. Changes nothing on a fork. */
export async function placeContracts(connection: TestConnection): Promise<PlacedContracts> {
  if ((await forkedBlockOf(connection)) !== undefined) return PLACED;
  await placeRouter(connection);
  await placeCode(connection, CREATE2_FACTORY, () => CREATE2_FACTORY_CODE);
  await placeCode(connection, PERMIT2_ADDRESS, async () =>
    permit2Code(Number(await connection.provider.request({ method: "eth_chainId" }))),
  );
  await placeCode(connection, DEPOSITORY_ADDRESS, () => depositoryCode(connection));
  return PLACED;
}

/** Returns the code with owner and allocator, which are immutables. */
async function depositoryCode({ provider }: TestConnection): Promise<Hex> {
  const artifact = readArtifact(CONTRACT_SOURCES.depository);
  const data = creationCode({ artifact, args: [localAccounts.deployer.address, localAccounts.allocator.address] });
  return (await provider.request({ method: "eth_call", params: [{ data }, "latest"] })) as Hex;
}
