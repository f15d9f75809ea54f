import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Localnet } from "../../packages/crosscall/src/localnet/index.ts";

/** Makes a network the network of a folder, as `crosscall up` does. */
export async function rememberIn(folder: string, { url, apiKey, adminKey, chains, svm }: Localnet): Promise<void> {
  await mkdir(join(folder, ".crosscall"), { recursive: true });
  const rpcUrls = Object.fromEntries(chains.map(({ id, rpcUrl }) => [id, rpcUrl]));
  const remembered = { url, apiKey, adminKey, rpcUrls, svmRpcUrl: svm?.rpcUrl };
  await writeFile(join(folder, ".crosscall/network.json"), JSON.stringify(remembered));
}
