import {
  type Artifact as IgnitionArtifact,
  buildModule,
  type ContractAtFuture,
  type IgnitionModule,
} from "@nomicfoundation/ignition-core";

import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { creationCode } from "@crosscall/protocol/chains";
import { type Artifact, readArtifact } from "../artifacts.ts";
import { CATALOGUE, type ContractName } from "../commands/deploy/catalogue.ts";
import { planDeployment } from "../commands/deploy/plan.ts";
import { buildOf, serviceOn } from "../commands/deploy/release.ts";

type CrosscallModule = IgnitionModule<string, string, { contract: ContractAtFuture }>;

/**
 * Returns an Ignition module that deploys one of crosscall's contracts at the same address as `crosscall deploy`. If
 * the contract already exists, the module uses it and deploys nothing.
 *
 * @param contract name of the contract, as in `crosscall deploy`
 * @param args constructor arguments by name; an address can also be the module of another of crosscall's contracts
 * @param options `chainId`: only needed on chains where the service's contracts have different addresses; see the
 * address book
 * @example const { contract: vaultProxy } = m.useModule(crosscallModule("Erc4626Proxy", { vault: "0x…" }));
 * @throws {@link InvalidInputError} if the contract or an argument is invalid
 */
export function crosscallModule(
  contract: ContractName,
  args: Readonly<Record<string, unknown>> = {},
  options: { readonly chainId?: number } = {},
): CrosscallModule {
  rejectUnknownOptions(options, { chainId: 1 });
  requireKnown(contract);
  const needed = Object.values(args).filter(isModule);
  const request = { contract, arguments: Object.fromEntries(Object.entries(args).map(withAddress)) };
  const build = buildOf(options.chainId);
  const plan = planDeployment([{ request, at: contract }], [], build, serviceOn(options.chainId));
  const planned = plan.find(({ name }) => name === contract);
  if (planned === undefined) throw new TypeError(`${contract} is not in its own deployment plan`);
  const { artifact, address } = planned;
  const creation = creationCode({ artifact, args: planned.args });
  // The id includes the address, which is derived from code and arguments, so that a journal entry never matches a
  // different deployment.
  return buildModule(`${contract}_${address.slice(2).toLowerCase()}`, (m) => {
    const deployOnce = toIgnition(readArtifact("deployment/DeployOnce", build));
    const once = m.contract("DeployOnce", deployOnce, [creation, address], { after: needed });
    return { contract: m.contractAt(contract, toIgnition(artifact), address, { after: [once] }) };
  });
}

function isModule(value: unknown): value is CrosscallModule {
  return typeof value === "object" && value !== null && "results" in value && "submodules" in value;
}

function withAddress([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  return [name, isModule(value) ? value.results.contract.address : value];
}

/** Rejects unknown names, because JavaScript callers can pass any name. */
function requireKnown(contract: string): void {
  if (Object.hasOwn(CATALOGUE, contract)) return;
  throw new InvalidInputError({
    field: "contract",
    value: contract,
    reason: "crosscall has no contract with this name",
    hint: `Use one of ${Object.keys(CATALOGUE).join(", ")}.`,
  });
}

/** Casts an artifact, because Ignition reads fields that the kit's type does not declare. */
function toIgnition(artifact: Artifact): IgnitionArtifact {
  return artifact as IgnitionArtifact;
}
