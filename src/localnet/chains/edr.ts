import { fileURLToPath } from "node:url";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";

/** A chain that runs in this process and is served over JSON-RPC on loopback. */
export interface EdrChain {
  readonly rpcUrl: string;
  close(): Promise<void>;
}

/** A folder that is not there. */
const NO_FOLDER = fileURLToPath(new URL("nothing/", import.meta.url));

/**
 * Starts an EVM chain in this process (Hardhat's EDR node), served on a port of loopback.
 *
 * @param chainId of the new chain
 * @param port 0 takes a free one
 */
export async function startEdrChain(chainId: number, port = 0): Promise<EdrChain> {
  const name = `chain${chainId}`;
  const hardhat = await createHardhatRuntimeEnvironment({
    // A checkout's build would be read for its stack traces, which takes longer than all else together.
    paths: { artifacts: NO_FOLDER, cache: NO_FOLDER },
    networks: { [name]: { type: "edr-simulated", chainId, hardfork: "cancun", allowBlocksWithSameTimestamp: true } },
  });
  const server = await hardhat.network.createServer({ network: name }, "127.0.0.1", port);
  const { address, port: boundPort } = await server.listen();
  return { rpcUrl: `http://${address}:${boundPort}`, close: () => server.close() };
}
