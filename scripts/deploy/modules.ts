import { type Artifact as IgnitionArtifact, buildModule, type IgnitionModule } from "@nomicfoundation/ignition-core";

import { CREATE2_FACTORY, deploymentData } from "@crosscall/sdk/internal/chains/create2";
import type { PlannedContract } from "./plan.ts";

export interface JournalIds {
  readonly module: string;
  readonly create: string;
  readonly contract: string;
}

/** Includes the address, which commits to code and arguments, so that a future never stands for another deployment. */
export function journalIds({ contract, address }: PlannedContract): JournalIds {
  const module = `${contract}_${address.slice(2).toLowerCase()}`;
  return { module, create: `${module}#create`, contract: `${module}#contract` };
}

/** One Ignition module per contract, after those it needs, and one that joins them. */
export function buildModules(contracts: readonly PlannedContract[]): IgnitionModule {
  const modules = new Map<string, IgnitionModule>();
  for (const contract of contracts) {
    const needed = contract.needs.flatMap((name) => modules.get(name) ?? []);
    modules.set(contract.name, contractModule(contract, needed));
  }
  return buildModule("crosscall", (m) => {
    for (const module of modules.values()) m.useModule(module);
    return {};
  });
}

/** Ignition's own `create2` strategy uses another factory. */
function contractModule(contract: PlannedContract, needed: IgnitionModule[]): IgnitionModule {
  const { artifact, args, address } = contract;
  return buildModule(journalIds(contract).module, (m) => {
    const create = m.send("create", CREATE2_FACTORY, 0n, deploymentData({ artifact, args }), { after: needed });
    // Ignition reads more of the artifact than the kit's type names.
    const full = artifact as IgnitionArtifact;
    return { contract: m.contractAt(contract.contract, full, address, { id: "contract", after: [create] }) };
  });
}
