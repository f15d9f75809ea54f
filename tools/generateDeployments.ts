// Writes deployments/<chainId>.json: the addresses of this release's standard contracts. Part of `npm run generate`.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import {
  formatRecord,
  readRecord,
  type RecordedContract,
  toComputed,
} from "../packages/crosscall/src/commands/deploy/record.ts";
import {
  planRelease,
  RELEASE_CHAIN_IDS,
  RELEASE_FOLDER,
  releaseSources,
} from "../packages/crosscall/src/commands/deploy/release.ts";
import { compileContracts } from "../packages/crosscall/src/terminal/compileContracts.ts";

await compileContracts(new AbortController().signal, releaseSources(), "london");

await mkdir(RELEASE_FOLDER, { recursive: true });
for (const chainId of RELEASE_CHAIN_IDS) {
  const path = join(RELEASE_FOLDER, `${chainId}.json`);
  const before = await readRecord(path, chainId);
  const contracts: Record<string, RecordedContract> = { ...compute(chainId) };
  for (const [name, earlier] of Object.entries(before?.record.contracts ?? {})) {
    // What `crosscall deploy` recorded stays, unless the release has another address.
    const isSame = earlier.address === (contracts[name]?.address ?? earlier.address);
    if (earlier.state === "deployed" && isSame) contracts[name] = earlier;
  }
  const text = formatRecord(chainId, contracts);
  if (text !== before?.text) await writeFile(path, text);
}

function compute(chainId: number): Readonly<Record<string, RecordedContract>> {
  return Object.fromEntries(planRelease(chainId).map((contract) => [contract.name, toComputed(contract)]));
}
