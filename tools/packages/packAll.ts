import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { BUILT_PACKAGES, PUBLISHED_PACKAGES } from "./publishedPackages.ts";

export type PackageName = (typeof PUBLISHED_PACKAGES)[number]["name"];

/** Paths of packed packages. */
export type Tarballs = Readonly<Record<PackageName, string>>;

/** Packs the built packages into a folder. */
export async function packAll(folder: string): Promise<Tarballs> {
  const paths: Partial<Record<PackageName, string>> = {};
  for (const { name } of PUBLISHED_PACKAGES) {
    const { stdout } = await promisify(execFile)("npm", ["pack", "--json", "--pack-destination", folder], {
      cwd: join(BUILT_PACKAGES, name),
    });
    const packed = JSON.parse(stdout) as unknown;
    const [entry] = (Array.isArray(packed) ? packed : Object.values(packed as object)) as { filename: string }[];
    paths[name] = join(folder, (entry?.filename ?? "").replace("@", "").replace("/", "-"));
  }
  return paths as Tarballs;
}
