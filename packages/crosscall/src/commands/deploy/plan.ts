import { type AbiParameter, type Address, getContractAddress, type Hex, isHex, size } from "viem";

import { CREATE2_FACTORY, deploymentAddress, parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { type Artifact, type Build, readArtifact } from "../../artifacts.ts";
import { CATALOGUE, type CatalogueEntry, type LocatedRequest, nameOf } from "./catalogue.ts";

export interface PlannedContract {
  /** Name in this deployment. */
  readonly name: string;
  readonly contract: string;
  /** Address that creates it: the factory, or the contract that deploys it in its constructor. */
  readonly creator: Address;
  /** Path below `contracts/`, without the extension. */
  readonly source: string;
  readonly artifact: Artifact;
  readonly build: Build;
  readonly args: ConstructorArguments["values"];
  readonly argumentTexts: ConstructorArguments["texts"];
  readonly address: Address;
  /** Names of planned contracts that its arguments reference. */
  readonly needs: readonly string[];
  /** Location of its arguments, for errors. */
  readonly at: string;
}

/** The service's contracts on a chain, as default arguments by name. */
export type ServiceDefaults = Readonly<Record<string, string>>;

/**
 * Resolves addresses and the order of deployment.
 *
 * @param only contracts to plan together with their dependencies; all if empty
 * @param service default arguments that replace the catalogue's, if the service's contracts have other addresses
 */
export function planDeployment(
  requests: readonly LocatedRequest[],
  only: readonly string[],
  build: Build = "cancun",
  service: ServiceDefaults = {},
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
        reason: "these contracts need each other's address",
        hint: "Set the address of one of them.",
      });
    }
    underWay.add(name);
    const contract = planOne(name, located, { build, service, plan });
    const twin = [...planned.values()].find(({ address }) => address === contract.address);
    if (twin !== undefined) {
      throw new InvalidInputError({
        field: located.at,
        value: name,
        reason: `${twin.name} is the same contract with the same arguments, so it has the same address`,
        hint: "Omit one of them.",
      });
    }
    planned.set(name, contract);
    for (const child of planChildren(contract, CATALOGUE[located.request.contract])) planned.set(child.name, child);
    return contract;
  }

  for (const name of only.length > 0 ? only : byName.keys()) plan(name, "--only");
  return [...planned.values()];
}

interface Planning {
  readonly build: Build;
  readonly service: ServiceDefaults;
  readonly plan: (name: string, field: string) => PlannedContract;
}

function planOne(name: string, { request, at }: LocatedRequest, { build, service, plan }: Planning): PlannedContract {
  const { source, defaults = {} }: CatalogueEntry = CATALOGUE[request.contract];
  const artifact = readArtifact(source, build);
  const needs = new Set<string>();
  const { values, texts } = parseArguments({
    artifact,
    given: request.arguments ?? {},
    defaults: Object.fromEntries(Object.entries(defaults).map(([key, value]) => [key, service[key] ?? value])),
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

/** Arguments by name. Addresses, bytes and numbers are strings. */
export type ArgumentText = string | boolean | readonly ArgumentText[];

export interface ConstructorArguments {
  /** Arguments in the constructor's order, for encoding. */
  readonly values: readonly unknown[];
  /** Argument texts by name, for the record. */
  readonly texts: Readonly<Record<string, ArgumentText>>;
}

export interface ParseArgumentsParameters {
  readonly artifact: Artifact;
  readonly given: Readonly<Record<string, unknown>>;
  readonly defaults: Readonly<Record<string, string | boolean>>;
  /** Path of `given`, for errors: `contracts[0].arguments`. */
  readonly at: string;
  /** Returns the address of another contract in the same deployment by name. */
  readonly addressOf: (name: string, field: string) => Address;
}

export function parseArguments(parameters: ParseArgumentsParameters): ConstructorArguments {
  const { artifact, given, defaults, at, addressOf } = parameters;
  const inputs = constructorInputs(artifact);
  const names = inputs.map(nameOfInput);
  for (const [name, value] of Object.entries(given)) {
    if (names.includes(name)) continue;
    throw new InvalidInputError({
      field: `${at}.${name}`,
      value,
      reason: `the constructor of ${artifact.contractName} has no argument with this name`,
      hint: names.length === 0 ? "Omit it." : `Use its arguments: ${names.join(", ")}.`,
    });
  }
  const values = inputs.map((input) => {
    const name = nameOfInput(input);
    return parseValue(input, given[name] ?? defaults[name], `${at}.${name}`, addressOf);
  });
  return { values, texts: Object.fromEntries(names.map((name, index) => [name, toText(values[index])])) };
}

function constructorInputs({ abi }: Artifact): readonly AbiParameter[] {
  return abi.find((item) => item.type === "constructor")?.inputs ?? [];
}

/** Removes the trailing underscore, which keeps a parameter from shadowing a variable. */
function nameOfInput({ name = "" }: AbiParameter): string {
  return name.replace(/_$/u, "");
}

function parseValue(
  input: AbiParameter,
  value: unknown,
  field: string,
  addressOf: ParseArgumentsParameters["addressOf"],
): unknown {
  const { type } = input;
  const array = /^(.*)\[(\d*)\]$/u.exec(type);
  if (array !== null) {
    const [, itemType = "", length = ""] = array;
    if (!Array.isArray(value) || (length !== "" && value.length !== Number(length))) {
      throw refuse(field, value, length === "" ? "it is not a list" : `it is not a list with ${length} entries`, type);
    }
    return value.map((item, index) => parseValue({ ...input, type: itemType }, item, `${field}[${index}]`, addressOf));
  }
  if (type === "address") return parseAddress(value, field, addressOf);
  if (type === "bool") {
    if (typeof value === "boolean") return value;
    throw refuse(field, value, "it is not a boolean", type);
  }
  if (type.startsWith("uint")) return parseUint(value, field, type);
  if (type.startsWith("bytes")) return parseBytes(value, field, type);
  if (type === "string" && typeof value === "string") return value;
  throw refuse(field, value, `it is not a valid ${type}`, type);
}

function parseAddress(value: unknown, field: string, addressOf: ParseArgumentsParameters["addressOf"]): Address {
  // A name starts with a letter, and an address with a digit.
  if (typeof value === "string" && /^[A-Za-z]/u.test(value)) return addressOf(value, field);
  return parseEvmAddress(value, field);
}

function parseUint(value: unknown, field: string, type: string): bigint {
  const bits = BigInt(type.slice("uint".length));
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === "string" && /^\d{1,78}$/u.test(text) && BigInt(text) < 2n ** bits) return BigInt(text);
  throw refuse(field, value, `it is not a whole number from 0 to 2^${bits} - 1`, type);
}

function parseBytes(value: unknown, field: string, type: string): Hex {
  const length = type === "bytes" ? undefined : Number(type.slice("bytes".length));
  const isWhole = isHex(value) && value.length % 2 === 0;
  if (isWhole && (length === undefined || size(value) === length)) return value.toLowerCase() as Hex;
  throw refuse(
    field,
    value,
    length === undefined ? "it is not hex of whole bytes" : `it is not ${length} bytes in hex`,
    type,
  );
}

function refuse(field: string, value: unknown, reason: string, type: string): InvalidInputError {
  return new InvalidInputError({ field, value, reason, hint: `Pass a valid ${type} as ${field}.` });
}

function toText(value: unknown): ArgumentText {
  if (Array.isArray(value)) return value.map(toText);
  return typeof value === "boolean" ? value : String(value);
}
