import { cp } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCES = fileURLToPath(new URL("../../contracts", import.meta.url));

/** Paths of contracts that only the kit's tests use. */
export const MOCKS = /(?:^|\/)mocks(?:\/|$)/u;

/** Paths of contracts that are published without ABI, if at all. */
export const TEST_CONTRACTS = /(?:^|\/)(?:mocks|testing)(?:\/|$)/u;

/** Copies the Solidity sources that are published. */
export async function copySources(target: string): Promise<void> {
  const isPublished = (path: string): boolean =>
    !MOCKS.test(path) && !basename(path).startsWith(".") && basename(path) !== "package.json";
  await cp(SOURCES, target, { recursive: true, filter: isPublished });
}
