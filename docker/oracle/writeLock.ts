// Writes package.json and package-lock.json of the image to a folder: what the oracle needs, in the versions of the checkout's
// lockfile. `npm ci` fails if package.json lists other versions.
//   node docker/oracle/writeLock.ts <folder>
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { type Lockfile, productionLock, type WorkspaceManifest } from "./productionLock.ts";

const PROTOCOL = "@crosscall/protocol";
const FOLDER = "packages/protocol";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node docker/oracle/writeLock.ts <folder>");
const { devDependencies: tools } = readJson("../../package.json") as Dependencies;
const { name, dependencies, devDependencies } = readJson("../../packages/oracle/package.json") as Dependencies;
const manifest: WorkspaceManifest = {
  name,
  // The image can sign with a key service, too.
  dependencies: { ...dependencies, ...devDependencies, viem: tools.viem ?? "", [PROTOCOL]: `file:${FOLDER}` },
};
const { packages, lockfileVersion } = productionLock(readJson("../../package-lock.json") as Lockfile, manifest);
const { [`node_modules/${PROTOCOL}`]: protocol, ...others } = packages;
if (protocol === undefined) throw new Error(`the lockfile has no ${PROTOCOL}`);
mkdirSync(folder, { recursive: true });
write("package.json", manifest);
// Node.js runs no TypeScript below node_modules, so the package is a link.
const linked = { [`node_modules/${PROTOCOL}`]: { resolved: FOLDER, link: true }, [FOLDER]: protocol };
write("package-lock.json", { lockfileVersion, requires: true, packages: { ...others, ...linked } });

interface Dependencies {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
}

function write(name: string, content: object): void {
  writeFileSync(join(folder ?? "", name), JSON.stringify(content));
}
