import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Folder of the built packages, by name. */
export const BUILT_PACKAGES = join(ROOT, "dist/node_modules");

/** Published packages with their folders in the checkout. A package comes after its dependencies. */
export const PUBLISHED_PACKAGES = [
  { name: "@crosscall/contracts", folder: "contracts" },
  { name: "@crosscall/protocol", folder: "packages/protocol" },
  { name: "@crosscall/sdk", folder: "packages/sdk" },
  { name: "@crosscall/oracle", folder: "packages/oracle" },
  { name: "crosscall", folder: "packages/crosscall" },
  { name: "create-crosscall", folder: "packages/create-crosscall" },
] as const;

/** Pattern of paths of contracts that only the kit's tests use. */
export const MOCKS = /(?:^|\/)mocks(?:\/|$)/u;

/** Pattern of paths of contracts that are published without an ABI or not at all. */
export const TEST_CONTRACTS = /(?:^|\/)(?:mocks|testing)(?:\/|$)/u;

/** Copies the published Solidity sources. */
export async function copySources(target: string): Promise<void> {
  const isPublished = (path: string): boolean =>
    !MOCKS.test(path) && !basename(path).startsWith(".") && basename(path) !== "package.json";
  await cp(join(ROOT, "contracts"), target, { recursive: true, filter: isPublished });
}
