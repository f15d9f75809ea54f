import { BATCH_EXECUTOR_ADDRESS } from "@crosscall/protocol/chains";
import { type ServiceTrust, serviceTrust } from "@crosscall/sdk/verify";
import type { DevChain } from "./devchain/devChain.ts";
import { SIMULATED_CHAINS, SVM_EXCHANGE } from "./market/simulatedChains.ts";

/** Returns the addresses of a network. They replace the live service's addresses on the same chains. */
export function trustOf(chains: readonly DevChain[], solver: string): ServiceTrust {
  const run = chains.map(({ id, protocolChainId: name, contracts }) => [
    id,
    {
      name,
      depositories: [contracts.depository],
      routers: [contracts.router],
      spenders: [contracts.uniswapRouter, contracts.approvalProxy],
      solvers: [solver],
      delegates: [BATCH_EXECUTOR_ADDRESS],
    },
  ]);
  const simulated = SIMULATED_CHAINS.map(({ id, protocolChainId: name, depository, solver: own }) => [
    id,
    {
      name,
      depositories: [depository],
      solvers: [solver, own],
      programs: [...(serviceTrust[id]?.programs ?? []), SVM_EXCHANGE],
    },
  ]);
  return { ...serviceTrust, ...(Object.fromEntries([...run, ...simulated]) as ServiceTrust) };
}
