// Copies only the files that a program needs to another folder: the modules that it imports, and the packages that
// these require, each at its own path. The oracle uses a tenth of the kit's dependencies.
//   node docker/oracle/keepNeeded.mjs <root> <entry> <target>
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const [root, entry, target] = process.argv.slice(2);
if (root === undefined || entry === undefined || target === undefined) {
  console.error("usage: node keepNeeded.mjs <root> <entry> <target>");
  process.exit(2);
}

/** Also matches types and comments: copies too much rather than too little. */
const SPECIFIER = /\b(?:from|import)\s*\(?\s*"([@.\w][^"\s]*)"/gu;

/** Files that no program reads: Node.js runs no TypeScript from node_modules. */
const UNREAD = /(?:\.map|\.md|\.tsbuildinfo|node_modules\/.*\.[cm]?ts)$/u;

const modules = new Set();
const packages = new Set();

visitModule(join(root, entry));
for (const file of modules) cpSync(file, join(target, relative(root, file)));
for (const folder of packages) {
  const place = join(target, relative(root, folder));
  const source = realpathSync(folder);
  if (source !== folder) {
    // npm links workspaces.
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(relative(dirname(folder), source), place);
  }
  cpSync(source, join(target, relative(root, source)), {
    recursive: true,
    // Nested packages are copied separately, if required.
    filter: (path) => !UNREAD.test(path) && !relative(source, path).split("/").includes("node_modules"),
  });
}
console.log(`${modules.size} modules and ${packages.size} packages`);

function visitModule(file) {
  if (modules.has(file)) return;
  modules.add(file);
  for (const [, specifier] of readFileSync(file, "utf8").matchAll(SPECIFIER)) {
    if (specifier.startsWith(".")) visitModule(join(dirname(file), specifier));
    else if (!specifier.startsWith("node:")) visitPackage(packageOf(specifier), dirname(file), true);
  }
}

function visitPackage(name, from, isRequired) {
  const folder = findPackage(name, from);
  if (folder === undefined) {
    if (isRequired) throw new Error(`${from} needs ${name}, which is not installed`);
    return;
  }
  if (packages.has(folder)) return;
  packages.add(folder);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  for (const needed of Object.keys(dependencies)) visitPackage(needed, folder, !(needed in optionalDependencies));
  for (const wanted of Object.keys(optionalDependencies)) visitPackage(wanted, folder, false);
  for (const peer of Object.keys(peerDependencies)) {
    if (peerDependenciesMeta[peer]?.optional !== true) visitPackage(peer, folder, false);
  }
}

/** Finds a package as Node resolves it. */
function findPackage(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return found;
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

function packageOf(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
