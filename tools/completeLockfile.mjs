// Makes package-lock.json installable on every platform after `npm install` has written it:
//
// 1. npm omits a platform package from the lockfile if the registry does not have it, and `npm ci` then rejects the
// lockfile on every platform. This script adds the entry with the version that the dependent package pins. 2. npm skips
// a platform package whose `engines` exclude the Node that runs npm. The kit installs its own Node, so npm checks the
// wrong version. This script removes `engines` from platform packages. 3. Entries that this script adds have no hash.
// This script resolves them with npm in a separate folder and copies the hashes. It fails if a hash is missing, because
// an entry without a hash accepts any content.
//
// Run by `npm run lock`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = {
  amd64: "x64",
  arm: "arm",
  arm64: "arm64",
  ia32: "ia32",
  ppc64: "ppc64",
  riscv64: "riscv64",
  s390x: "s390x",
  x64: "x64",
};
const C_LIBRARIES = { gnu: "glibc", gnueabihf: "glibc", musl: "musl", musleabihf: "musl" };

/** Returns the `os`, `cpu` and `libc` in the name of a platform package, or undefined if the name contains none. */
function platformOf(name) {
  const words = name.split(/[-/]/u);
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = words.find((word) => word in PROCESSORS);
  if (os === undefined || cpu === undefined) return undefined;
  const libc = os === "linux" ? words.find((word) => word in C_LIBRARIES) : undefined;
  return {
    os: [os],
    cpu: [PROCESSORS[cpu]],
    ...(libc === undefined ? {} : { libc: [C_LIBRARIES[libc]] }),
  };
}

const path = new URL("../package-lock.json", import.meta.url);
const lockfile = JSON.parse(readFileSync(path, "utf8"));
const { packages } = lockfile;

for (const entry of Object.values(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    const platform = platformOf(name);
    if (key in packages || platform === undefined || !/^\d/u.test(version)) continue;
    packages[key] = { version, ...(entry.dev === true ? { dev: true } : {}), optional: true, ...platform };
  }
}
for (const entry of Object.values(packages)) {
  if (entry.optional === true && entry.os !== undefined) delete entry.engines;
}

const unhashed = Object.keys(packages).filter((key) => isFromRegistry(key) && !isHashed(packages[key]));
const hashes = unhashed.length === 0 ? {} : resolveHashes(unhashed);
for (const key of unhashed) {
  const { version, ...rest } = packages[key];
  const found = hashes[`node_modules/${nameOf(key)}`];
  if (found?.version === version) packages[key] = { version, integrity: found.integrity, ...rest };
}
const missing = unhashed.filter((key) => !isHashed(packages[key]));

lockfile.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`);

if (missing.length > 0) {
  console.error(
    `The registry has no hash for ${missing.join(", ")}. Run \`npm run lock\` with a registry that has these packages.`,
  );
  process.exitCode = 1;
}

/** Workspaces and links have no hash. */
function isFromRegistry(key) {
  return key.includes("node_modules/") && packages[key].link !== true;
}

function nameOf(key) {
  return key.slice(key.lastIndexOf("node_modules/") + "node_modules/".length);
}

function isHashed({ integrity = "" }) {
  return integrity.startsWith("sha512-");
}

/** @returns the entries of a lockfile by path, without packages that the registry does not have */
function resolveHashes(keys) {
  const folder = mkdtempSync(join(tmpdir(), "crosscall-lock-"));
  try {
    const versions = keys.map((key) => [nameOf(key), packages[key].version]);
    // Uses optional dependencies, because npm omits those that it does not find instead of failing.
    const manifest = { private: true, optionalDependencies: Object.fromEntries(versions) };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    const args = ["install", "--package-lock-only", "--force", "--ignore-scripts", "--no-audit", "--no-fund"];
    const shell = process.platform === "win32";
    const { status, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8", shell });
    if (status !== 0) throw new Error(`npm could not resolve the platform packages: ${stderr}`);
    return JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
