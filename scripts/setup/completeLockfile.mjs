// Makes a package-lock.json (that of the checkout, or the one named) installable everywhere, after `npm install` has written it:
//
// 1. npm omits a platform package from the lockfile if the registry does not have it, and `npm ci` then rejects the
//    lockfile on every platform. The package that depends on it pins its version, so this script adds the entry.
// 2. npm skips a platform package whose `engines` exclude the Node that runs npm. The kit installs its own Node, so the
//    check uses the wrong one. This script removes `engines` from platform packages.
//
// Run by `npm run lock`.
import { readFileSync, writeFileSync } from "node:fs";

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

/** The `os`, `cpu` and `libc` in the name of a platform package; undefined if it has none. */
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

const [name = "package-lock.json"] = process.argv.slice(2);
const path = new URL(`../../${name}`, import.meta.url);
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

lockfile.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`);
