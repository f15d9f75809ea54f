import { existsSync } from "node:fs";
import { createRequire } from "node:module";

import type { Abi, Address, Hex } from "viem";

import type { CreatableCode } from "@crosscall/protocol/chains";

interface LinkPosition {
  readonly start: number;
  readonly length: number;
}

interface PublishedArtifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly linkReferences?: Readonly<Record<string, Readonly<Record<string, readonly LinkPosition[]>>>>;
}

export type Libraries = Readonly<Record<string, Address>>;

/** The npm package bundles these artifacts instead of depending on the protocols' packages. */
const BUNDLED = new URL("artifacts/published/", import.meta.resolve("crosscall/package.json"));

const isBundled = existsSync(BUNDLED);
const require = createRequire(isBundled ? BUNDLED : import.meta.url);

/**
 * Reads an artifact as its authors published it.
 *
 * @param path begins with the package's name
 * @param libraries addresses to link
 */
export function readPublished(path: string, libraries: Libraries = {}): CreatableCode {
  const { abi, bytecode, linkReferences = {} } = read(path) as PublishedArtifact;
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

/** Creation code from an artifact of Foundry, which nests it. */
export function readPublishedBytes(path: string): Hex {
  const { bytecode } = read(path) as { readonly bytecode: { readonly object: Hex } };
  return bytecode.object;
}

function read(path: string): unknown {
  return require(isBundled ? `./${path}` : path);
}
