import { join } from "node:path";

import {
  type DeploymentRecord,
  formatRecord,
  readRecord,
  type RecordedContract,
  toComputed,
} from "../../packages/crosscall/src/commands/deploy/record.ts";
import {
  planRelease,
  readRelease,
  RELEASE_CHAIN_IDS,
  releaseSources,
} from "../../packages/crosscall/src/commands/deploy/release.ts";
import { compileContracts } from "../../packages/crosscall/src/terminal/compileContracts.ts";
import { type Generated, ROOT } from "./pages.ts";

/**
 * Generates deployments/computed.json: addresses of the standard contracts, with one record for chains that share them.
 */
export async function generate(): Promise<Generated> {
  await compileContracts(new AbortController().signal, releaseSources(), "london");
  const groups = new Map<string, number[]>();
  for (const chainId of RELEASE_CHAIN_IDS) {
    const contracts = planRelease(chainId).map((contract) => [contract.name, toComputed(contract)] as const);
    const { chainId: _, ...record } = JSON.parse(formatRecord(0, Object.fromEntries(contracts))) as DeploymentRecord;
    const key = JSON.stringify(record);
    groups.set(key, [...(groups.get(key) ?? []), chainId]);
  }
  const table = [...groups].map(([record, chainIds]) => ({ chainIds, ...(JSON.parse(record) as object) }));
  // Writes ids on one line.
  const text = JSON.stringify(table, null, 2).replaceAll(/\[[\d,\s]+\]/gu, (ids) => JSON.stringify(JSON.parse(ids)));
  return { pages: new Map([["deployments/computed.json", `${text}\n`]]) };
}

/**
 * Returns the record of each chain in `@crosscall/contracts`: the computed addresses, with data on deployed contracts
 * from `deployments/<chainId>.json`.
 */
export async function releaseRecords(): Promise<readonly DeploymentRecord[]> {
  return Promise.all(
    RELEASE_CHAIN_IDS.toSorted((left, right) => left - right).map(async (chainId) => {
      const release = await readRelease(chainId);
      if (release === undefined) throw new Error(`deployments/computed.json has no record of chain ${chainId}`);
      const deployed = await readRecord(join(ROOT, `deployments/${chainId}.json`), chainId);
      const contracts = Object.entries(release.contracts).map(([name, computed]): [string, RecordedContract] => {
        const found = deployed?.record.contracts[name];
        return [name, found?.state === "deployed" && found.address === computed.address ? found : computed];
      });
      return { ...release, contracts: Object.fromEntries(contracts) };
    }),
  );
}
