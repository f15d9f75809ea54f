import {
  type Artifact as IgnitionArtifact,
  buildModule,
  type ContractAtFuture,
  type IgnitionModule,
} from "@nomicfoundation/ignition-core";

import { InvalidInputError } from "@crosscall/protocol/core";
import { creationCode } from "@crosscall/protocol/chains";
import { type Artifact, readArtifact } from "../artifacts.ts";
import { CATALOGUE, type ContractName } from "../commands/deploy/catalogue.ts";
import { planDeployment } from "../commands/deploy/plan.ts";
import { buildOf, serviceOn } from "../commands/deploy/release.ts";

type CrosscallModule = IgnitionModule<string, string, { contract: ContractAtFuture }>;

/**
 * Returns an Ignition module that deploys one of crosscall's contracts at the address at which `crosscall deploy` deploys it.
 * If the contract exists already, the module deploys nothing and uses it.
 *
 * @param contract name of the contract, as in `crosscall deploy`
 * @param args arguments of its constructor, by name; for an address also the module of another of crosscall's contracts
 * @param options `chainId`: only needed where the service's contracts have other addresses, see the address book
 * @example const { contract: vaultProxy } = m.useModule(crosscallModule("Erc4626Proxy", { vault: "0x…" }));
 * @throws {@link InvalidInputError} if the contract or an argument is invalid
 */
export function crosscallModule(
  contract: ContractName,
  args: Readonly<Record<string, unknown>> = {},
  options: { readonly chainId?: number } = {},
): CrosscallModule {
  requireKnown(contract);
  const needed = Object.values(args).filter(isModule);
  const request = { contract, arguments: Object.fromEntries(Object.entries(args).map(withAddress)) };
  const build = buildOf(options.chainId);
  const plan = planDeployment([{ request, at: contract }], [], build, serviceOn(options.chainId));
  const planned = plan.find(({ name }) => name === contract);
  if (planned === undefined) throw new TypeError(`${contract} is not in its plan`);
  const { artifact, address } = planned;
  const creation = creationCode({ artifact, args: planned.args });
  // The address commits to code and arguments, so that a journal entry never matches a different deployment.
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

/** JavaScript callers may pass any name. */
function requireKnown(contract: string): void {
  if (Object.hasOwn(CATALOGUE, contract)) return;
  throw new InvalidInputError({
    field: "contract",
    value: contract,
    reason: "crosscall has no contract of this name",
    hint: `Use one of ${Object.keys(CATALOGUE).join(", ")}.`,
  });
}

/** Ignition reads more artifact fields than the kit's type declares. */
function toIgnition(artifact: Artifact): IgnitionArtifact {
  return artifact as IgnitionArtifact;
}
