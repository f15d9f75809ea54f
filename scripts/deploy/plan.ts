import { type Address, getContractAddress } from "viem";

import { type Artifact, type Build, readArtifact } from "../../src/artifacts.ts";
import { CREATE2_FACTORY, deploymentAddress } from "@crosscall/sdk/internal/chains/create2";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { CATALOGUE, type CatalogueEntry } from "./catalogue.ts";
import { type ConstructorArguments, parseArguments } from "./constructorArguments.ts";
import { type LocatedRequest, nameOf } from "./parameters.ts";

export interface PlannedContract {
  /** Its name in this deployment. */
  readonly name: string;
  readonly contract: string;
  /** The factory, or the contract whose constructor deploys it. */
  readonly creator: Address;
  /** Path below `contracts/`, without the extension. */
  readonly source: string;
  readonly artifact: Artifact;
  readonly build: Build;
  readonly args: ConstructorArguments["values"];
  readonly argumentTexts: ConstructorArguments["texts"];
  readonly address: Address;
  /** Planned contracts that its arguments name. */
  readonly needs: readonly string[];
  /** Where its arguments were given, for errors. */
  readonly at: string;
}

/**
 * Resolves addresses and the order of deployment.
 *
 * @param only plans these and what they need; everything if empty
 */
export function planDeployment(
  requests: readonly LocatedRequest[],
  only: readonly string[],
  build: Build = "cancun",
): PlannedContract[] {
  const byName = new Map(requests.map((located) => [nameOf(located.request), located]));
  const planned = new Map<string, PlannedContract>();
  const underWay = new Set<string>();

  function plan(name: string, field: string): PlannedContract {
    const located = byName.get(name);
    if (located === undefined) {
      throw new InvalidInputError({
        field,
        value: name,
        reason: "no contract of this deployment has this name",
        hint: `Use one of ${[...byName.keys()].join(", ")}.`,
      });
    }
    const done = planned.get(name);
    if (done !== undefined) return done;
    if (underWay.has(name)) {
      throw new InvalidInputError({
        field,
        value: name,
        reason: "the two contracts need each other's address",
        hint: "Set the address of one of them.",
      });
    }
    underWay.add(name);
    const contract = planOne(name, located, build, plan);
    const twin = [...planned.values()].find(({ address }) => address === contract.address);
    if (twin !== undefined) {
      throw new InvalidInputError({
        field: located.at,
        value: name,
        reason: `${twin.name} is the same contract with the same arguments, so it has the same address`,
        hint: "Leave one of them out.",
      });
    }
    planned.set(name, contract);
    for (const child of planChildren(contract, CATALOGUE[located.request.contract])) planned.set(child.name, child);
    return contract;
  }

  for (const name of only.length > 0 ? only : byName.keys()) plan(name, "--only");
  return [...planned.values()];
}

function planOne(
  name: string,
  { request, at }: LocatedRequest,
  build: Build,
  plan: (name: string, field: string) => PlannedContract,
): PlannedContract {
  const { source, defaults = {} }: CatalogueEntry = CATALOGUE[request.contract];
  const artifact = readArtifact(source, build);
  const needs = new Set<string>();
  const { values, texts } = parseArguments({
    artifact,
    given: request.arguments ?? {},
    defaults,
    at: `${at}.arguments`,
    addressOf(other, field) {
      needs.add(other);
      return plan(other, field).address;
    },
  });
  return {
    name,
    contract: request.contract,
    creator: CREATE2_FACTORY,
    source,
    artifact,
    build,
    args: values,
    argumentTexts: texts,
    address: deploymentAddress({ artifact, args: values }),
    needs: [...needs],
    at: `${at}.arguments`,
  };
}

function planChildren(parent: PlannedContract, { children = [] }: CatalogueEntry): PlannedContract[] {
  return children.map((source, index) => {
    const artifact = readArtifact(source, parent.build);
    const { contractName } = artifact;
    return {
      // Given names contain no dot.
      name: `${parent.name}.${contractName}`,
      contract: contractName,
      creator: parent.address,
      source,
      artifact,
      build: parent.build,
      args: [],
      argumentTexts: {},
      // The nonce of a new contract starts at 1.
      address: getContractAddress({ from: parent.address, nonce: BigInt(index + 1) }),
      needs: [parent.name],
      at: parent.at,
    };
  });
}
