import { readFileSync } from "node:fs";
import type { Abi, Hex } from "viem";

import { InvalidStateError } from "../core/errors.ts";

/** What the compiler made of a contract. */
export interface Artifact {
  readonly abi: Abi;
  /** Creation code, without constructor arguments. */
  readonly bytecode: Hex;
  /** Runtime code, with zeros where immutables go. */
  readonly deployedBytecode: Hex;
}

/**
 * Reads a contract of the kit from the build that the package ships.
 *
 * @param source path of the source below `contracts/`, without the ending: `proxies/Erc4626Proxy`
 * @throws {@link InvalidStateError} when the contracts are not built
 */
export function readArtifact(source: string): Artifact {
  const name = source.slice(source.lastIndexOf("/") + 1);
  // The package's own name finds its root from the sources and from the published build alike.
  const root = import.meta.resolve("crosscall/package.json");
  const path = new URL(`artifacts/contracts/${source}.sol/${name}.json`, root);
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Artifact;
  } catch (cause) {
    throw new InvalidStateError({
      message: `the compiled contract ${source} cannot be read`,
      cure: "Run `npx hardhat build` in the checkout.",
      cause,
    });
  }
}
