import { type Artifact as IgnitionArtifact, buildModule, type IgnitionModule } from "@nomicfoundation/ignition-core";

import { CREATE2_FACTORY, deploymentData } from "@crosscall/sdk/internal/chains/create2";
import type { PlannedContract } from "./plan.ts";

/** What a contract is called in Ignition's journal. */
export interface JournalIds {
  readonly module: string;
  /** The call of the factory. */
  readonly create: string;
  /** The contract that the call leaves. */
  readonly contract: string;
}

/**
 * A contract's names in the journal. The address is part of them, and it commits to code and arguments: a future of the
 * journal never stands for another deployment than the one it was written for.
 */
export function journalIds({ contract, address }: PlannedContract): JournalIds {
  const module = `${contract}_${address.slice(2).toLowerCase()}`;
  return { module, create: `${module}#create`, contract: `${module}#contract` };
}

/** An Ignition module a contract, each after those that it needs, and one that joins them. */
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

/**
 * Ignition's own `create2` strategy goes through another factory, so the call of this one is written out: what it
 * leaves is known beforehand.
 */
function contractModule(contract: PlannedContract, needed: IgnitionModule[]): IgnitionModule {
  const { artifact, args, address } = contract;
  return buildModule(journalIds(contract).module, (m) => {
    const create = m.send("create", CREATE2_FACTORY, 0n, deploymentData({ artifact, args }), { after: needed });
    // The build's JSON is Ignition's artifact; the kit's type names the part that the kit reads.
    const full = artifact as IgnitionArtifact;
    return { contract: m.contractAt(contract.contract, full, address, { id: "contract", after: [create] }) };
  });
}
