// Writes package.json and package-lock.json of the image to a folder: the packages of docker/oracle/package.json, in the
// versions of the checkout's lockfile. `npm ci` fails if package.json lists other versions.
//   node docker/oracle/writeLock.ts <folder>
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { type Lockfile, productionLock, type WorkspaceManifest } from "../../scripts/setup/release/productionLock.ts";

const SDK = "@crosscall/sdk";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node docker/oracle/writeLock.ts <folder>");
const manifest = readJson("./package.json") as WorkspaceManifest;
const { packages, lockfileVersion } = productionLock(readJson("../../package-lock.json") as Lockfile, manifest);
const { [`node_modules/${SDK}`]: sdk, ...others } = packages;
if (sdk === undefined) throw new Error(`the lockfile has no ${SDK}`);
mkdirSync(folder, { recursive: true });
write("package.json", manifest);
// Node.js runs no TypeScript below node_modules, so the SDK is a link.
const linked = { [`node_modules/${SDK}`]: { resolved: "sdk", link: true }, sdk };
write("package-lock.json", { lockfileVersion, requires: true, packages: { ...others, ...linked } });

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
}

function write(name: string, content: object): void {
  writeFileSync(join(folder ?? "", name), JSON.stringify(content));
}
