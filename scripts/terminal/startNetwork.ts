import { CONTRACT_SOURCES } from "../../src/devchain/sources.ts";
import { localnet, type Localnet, type LocalnetOptions } from "../../src/localnet/index.ts";
import { compileContracts } from "./compileContracts.ts";
import type { Stages } from "./stages.ts";

export async function startNetwork(stages: Stages, signal: AbortSignal, options: LocalnetOptions): Promise<Localnet> {
  await stages.run("Compile the contracts", () => compileContracts(signal, Object.values(CONTRACT_SOURCES)));
  return stages.run("Start the chains, the contracts, the service and the solver", async ({ note }) => {
    const network = await localnet(options);
    note(network.chains.map(({ id, rpcUrl }) => `chain ${id} at ${rpcUrl}`).join(", "));
    note(`service at ${network.url}`);
    if (network.oracle !== undefined) note(`oracle at ${network.oracle.url}, with a peer at ${network.oracle.peerUrl}`);
    return network;
  });
}
