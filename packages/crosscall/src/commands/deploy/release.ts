import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { CREATE2_FACTORY, CREATE2_SALT, ReleaseMismatchError, VM_TYPE_BY_CHAIN_ID } from "@crosscall/protocol/chains";
import { compact } from "@crosscall/protocol/core";
import { parseData, requireJson } from "@crosscall/protocol/schema";
import { serviceTrust } from "@crosscall/sdk/verify";
import { type Build, BUILD_ROOT } from "../../artifacts.ts";
import { CATALOGUE, sourcesOf, standardRequests } from "./catalogue.ts";
import { planDeployment, type PlannedContract, type ServiceDefaults } from "./plan.ts";
import { ComputedRecordsSchema, type DeploymentRecord, toComputed } from "./record.ts";

/** ZK Stack chains. Their VM runs different code and derives addresses differently. */
const OTHER_VM_CHAIN_IDS: readonly number[] = [232, 324, 2_741, 543_210];

/** EVM chains without transient storage, according to their documentation: Polygon zkEVM and Taiko. */
const LONDON_CHAIN_IDS: readonly number[] = [1_101, 167_000];

/** Local networks. Their records are only useful on one machine. */
export const LOCAL_CHAIN_IDS: readonly number[] = [31_337, 31_338];

/** File with the addresses of this release's standard contracts, in the checkout and in the package. */
export const COMPUTED_FILE = fileURLToPath(new URL("deployments/computed.json", BUILD_ROOT));

/** The service's EVM chains, and the default ids of local networks. */
export const RELEASE_CHAIN_IDS: readonly number[] = [...VM_TYPE_BY_CHAIN_ID]
  .filter(([id, vmType]) => vmType === "evm" && !OTHER_VM_CHAIN_IDS.includes(id))
  .map(([id]) => id);

const STANDARD: ReadonlySet<string> = new Set(standardRequests().map(({ request }) => request.contract));

export function buildOf(chainId: number | undefined): Build {
  return chainId !== undefined && LONDON_CHAIN_IDS.includes(chainId) ? "london" : "cancun";
}

/** Returns default arguments from the service's contracts on a chain, or none for an unknown chain. */
export function serviceOn(chainId: number | undefined): ServiceDefaults {
  const chain = chainId === undefined ? undefined : serviceTrust[chainId];
  return compact({ depository: chain?.depositories[0] });
}

/** Plans the standard contracts of a chain. */
export function planRelease(chainId: number): PlannedContract[] {
  return planDeployment(standardRequests(), [], buildOf(chainId), serviceOn(chainId));
}

/** Lists the source paths of the standard contracts. */
export function releaseSources(): string[] {
  return standardRequests().flatMap(({ request }) => sourcesOf(CATALOGUE[request.contract]));
}

/** Returns the release's record of a chain, or undefined if there is none. */
export async function readRelease(chainId: number): Promise<DeploymentRecord | undefined> {
  const value = requireJson(await readFile(COMPUTED_FILE, "utf8"), COMPUTED_FILE);
  const groups = parseData(ComputedRecordsSchema, value, COMPUTED_FILE);
  const group = groups.find(({ chainIds }) => chainIds.includes(chainId));
  if (group === undefined) return undefined;
  const { chainIds: _, ...record } = group;
  return { chainId, ...record };
}

/**
 * Compares a plan with the release's record of the chain.
 *
 * @returns contracts and build that the record does not cover
 */
export function compareWithRelease(
  chainId: number,
  plan: readonly PlannedContract[],
  record: DeploymentRecord | undefined,
): readonly string[] {
  if (record === undefined) return [`the release has no record of chain ${chainId}`];
  if (plan[0] !== undefined && plan[0].build !== buildOf(chainId)) {
    return [`chain ${chainId} has no transient storage, but the release's record is for the build that needs it`];
  }
  const { factory, salt, contracts } = record;
  requireEqual(chainId, "factory", factory, CREATE2_FACTORY);
  requireEqual(chainId, "salt", salt, CREATE2_SALT);
  const notes: string[] = [];
  for (const contract of plan) {
    const planned = toComputed(contract);
    const recorded = Object.entries(contracts).filter(([, entry]) => entry.contract === planned.contract);
    if (recorded.length === 0 && STANDARD.has(contract.contract)) {
      notes.push(`${contract.name}: the release has no arguments for chain ${chainId}`);
    }
    if (recorded.length === 0) continue;
    const same = recorded.find(([, entry]) => toJson(entry.arguments) === toJson(planned.arguments));
    if (same === undefined) {
      notes.push(`${contract.name}: the release's record has different arguments and therefore a different address`);
      continue;
    }
    const [name, entry] = same;
    for (const field of ["compiler", "creationCodeHash", "creator", "address"] as const) {
      requireEqual(chainId, `contracts.${name}.${field}`, toJson(entry[field]), toJson(planned[field]));
    }
  }
  return notes;
}

function requireEqual(chainId: number, field: string, recorded: string, planned: string): void {
  if (recorded !== planned) throw new ReleaseMismatchError({ chainId, field, recorded, planned });
}

function toJson(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
