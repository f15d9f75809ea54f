// Writes package.json and package-lock.json of the image to a folder: the third-party packages that the network needs, in
// the versions of the checkout's lockfile. `npm ci` fails if package.json lists other versions.
//   node docker/localnet/writeLock.ts <folder>
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { type Lockfile, productionLock, type WorkspaceManifest } from "../oracle/productionLock.ts";

const WORKSPACES = ["crosscall", "oracle", "protocol", "sdk"];

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node docker/localnet/writeLock.ts <folder>");
const manifests = WORKSPACES.map((name) => readJson(`../../packages/${name}/package.json`) as WorkspaceManifest);
const own = new Set(manifests.map(({ name }) => name));
const { devDependencies: tools } = readJson("../../package.json") as {
  readonly devDependencies: Readonly<Record<string, string>>;
};
const needed = manifests.flatMap(({ dependencies = {} }) => Object.entries(dependencies));
const manifest: WorkspaceManifest = {
  name: "localnet",
  // The packages require viem as a peer.
  dependencies: { ...Object.fromEntries(needed.filter(([name]) => !own.has(name))), viem: tools.viem ?? "" },
};
mkdirSync(folder, { recursive: true });
write("package.json", manifest);
write("package-lock.json", {
  requires: true,
  ...productionLock(readJson("../../package-lock.json") as Lockfile, manifest),
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
}

function write(name: string, content: object): void {
  writeFileSync(join(folder ?? "", name), JSON.stringify(content));
}
