import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { PUBLISHED_PACKAGES, ROOT } from "../packages/publishedPackages.ts";
import { dependencyNames, type Lockfile, productionLock, type WorkspaceManifest } from "./productionLock.ts";

/** A package's installed dependencies, in CycloneDX. */
export interface Sbom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

/** Writes a CycloneDX file with the production dependencies of each published package. Returns what is wrong with them. */
export async function writeSboms(target: string): Promise<readonly string[]> {
  const lockfile = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")) as Lockfile;
  const folder = await mkdtemp(join(tmpdir(), "crosscall-sbom-"));
  const faults: string[] = [];
  await mkdir(target, { recursive: true });
  try {
    for (const { name, folder: workspace } of PUBLISHED_PACKAGES) {
      const manifest = JSON.parse(await readFile(join(ROOT, workspace, "package.json"), "utf8")) as WorkspaceManifest;
      const lock = productionLock(lockfile, manifest);
      const project = join(folder, name);
      await mkdir(project, { recursive: true });
      await writeFile(join(project, "package.json"), JSON.stringify(lock.packages[""]));
      await writeFile(join(project, "package-lock.json"), JSON.stringify(lock));
      const { stdout } = await promisify(execFile)(
        "npm",
        ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev"],
        { cwd: project, maxBuffer: 64 * 1024 * 1024, shell: process.platform === "win32" },
      );
      faults.push(
        ...sbomFaults(JSON.parse(stdout) as Sbom, manifest, lock).map((fault) => `SBOM of ${name}: ${fault}`),
      );
      await writeFile(join(target, `${name.replace("@", "").replace("/", "-")}.cdx.json`), stdout);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return faults;
}

/** Missing and surplus entries of a list, compared with the package's own lockfile. */
export function sbomFaults(sbom: Sbom, { name, version }: WorkspaceManifest, lock: Lockfile): readonly string[] {
  const { component } = sbom.metadata;
  const named = new Set(sbom.components.map((entry) => entry.name));
  const expected = new Set(dependencyNames(lock));
  return [
    ...(sbom.bomFormat === "CycloneDX" ? [] : [`the format is ${sbom.bomFormat}`]),
    ...(component.name === name && component.version === version
      ? []
      : [`it is of ${component.name} ${component.version}`]),
    ...[...expected].filter((dependency) => !named.has(dependency)).map((dependency) => `${dependency} is missing`),
    ...[...named]
      .filter((dependency) => !expected.has(dependency))
      .map((dependency) => `${dependency} is not installed`),
  ];
}
