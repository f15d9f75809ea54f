import { existsSync } from "node:fs";
import { createRequire } from "node:module";

import type { Abi, Address, Hex } from "viem";

import type { CreatableCode } from "@crosscall/sdk/internal/chains/create2";

interface LinkPosition {
  readonly start: number;
  readonly length: number;
}

/** What the packages of protocols ship of a contract. */
interface PublishedArtifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly linkReferences?: Readonly<Record<string, Readonly<Record<string, readonly LinkPosition[]>>>>;
}

/** Addresses of deployed libraries by their name. */
export type Libraries = Readonly<Record<string, Address>>;

/** The published package has these artifacts in a folder of its own, so that it need not depend on their packages. */
const BUNDLED = new URL("artifacts/published/", import.meta.resolve("crosscall/package.json"));

const isBundled = existsSync(BUNDLED);
const require = createRequire(isBundled ? BUNDLED : import.meta.url);

/**
 * Reads a contract as its authors compiled and published it.
 *
 * @param path the artifact's path, beginning with the name of the package
 * @param libraries what its code is linked with, where it needs any
 */
export function readPublished(path: string, libraries: Libraries = {}): CreatableCode {
  const { abi, bytecode, linkReferences = {} } = require(isBundled ? `./${path}` : path) as PublishedArtifact;
  let linked: string = bytecode;
  for (const [name, positions] of Object.values(linkReferences).flatMap((file) => Object.entries(file))) {
    const address = libraries[name];
    if (address === undefined) throw new RangeError(`${path} needs the library ${name}`);
    for (const { start, length } of positions) {
      const at = 2 + 2 * start;
      linked = linked.slice(0, at) + address.slice(2).toLowerCase() + linked.slice(at + 2 * length);
    }
  }
  return { abi, bytecode: linked as Hex };
}
