import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Abi, Hex } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";

/** Compiler output for a contract. */
export interface Artifact {
  readonly abi: Abi;
  /** Creation code, without constructor arguments. */
  readonly bytecode: Hex;
  /** Runtime code, with zeros in place of immutables. */
  readonly deployedBytecode: Hex;
  /** Byte ranges of each immutable in the runtime code. */
  readonly immutableReferences: Readonly<Record<string, readonly CodeRange[]>>;
  readonly contractName: string;
  /** Path of the source in the compiler's input. */
  readonly inputSourceName: string;
  /** Id of the compiler's input, for {@link readBuildInfo}. */
  readonly buildInfoId: string;
}

/** `cancun` for chains at the Cancun level or later, `london` for chains without transient storage. */
export type Build = "cancun" | "london";

// The package's own name resolves both in the source tree and in the published build.
const PACKAGE = new URL(".", import.meta.resolve("crosscall/package.json"));

/** Hardhat needs a folder with a package.json, which the working directory may lack. */
export const PACKAGE_FOLDER = fileURLToPath(PACKAGE);

/** Version of crosscall and all of its packages. */
export const VERSION = (
  JSON.parse(readFileSync(new URL("package.json", PACKAGE), "utf8")) as { readonly version: string }
).version;

/** Folder with the built contracts and `deployments/computed.json`: the checkout or the published package. */
export const BUILD_ROOT = import.meta.url.endsWith(".ts") ? new URL("../../", PACKAGE) : PACKAGE;

export const BUILD_FOLDERS: Readonly<Record<Build, string>> = { cancun: "artifacts", london: "artifacts-london" };

/** A part of a contract's code, in bytes. */
export interface CodeRange {
  readonly start: number;
  readonly length: number;
}

/** Compiler settings of a contract. */
export interface BuildInfo {
  /** Version with commit: `0.8.37+commit.f401782d`. */
  readonly solcLongVersion: string;
  /** The compiler's standard JSON input. */
  readonly input: {
    readonly language: string;
    readonly sources: Readonly<Record<string, { readonly content: string }>>;
    readonly settings: {
      readonly evmVersion: string;
      readonly viaIR?: boolean;
      readonly optimizer: { readonly enabled: boolean; readonly runs: number };
    };
  };
}

/**
 * Reads a contract of the kit from the package's build.
 *
 * @param source path of the source in `contracts/`, without the extension, such as `proxies/Erc4626Proxy`
 * @throws {@link InvalidStateError} when the contracts are not built
 */
export function readArtifact(source: string, build: Build = "cancun"): Artifact {
  const name = source.slice(source.lastIndexOf("/") + 1);
  return readBuilt(build, `contracts/${source}.sol/${name}.json`, `the compiled contract ${source}`) as Artifact;
}

/**
 * Reads the compiler version and input of a contract of the kit.
 *
 * @throws {@link InvalidStateError} when the contracts are not built
 */
export function readBuildInfo({ buildInfoId, contractName }: Artifact, build: Build = "cancun"): BuildInfo {
  return readBuilt(build, `build-info/${buildInfoId}.json`, `the compiler input for ${contractName}`) as BuildInfo;
}

function readBuilt(build: Build, path: string, what: string): unknown {
  try {
    return JSON.parse(readFileSync(new URL(`${BUILD_FOLDERS[build]}/${path}`, BUILD_ROOT), "utf8"));
  } catch (cause) {
    throw new InvalidStateError({
      message: `${what} cannot be read`,
      hint: `Run \`npm run ${build === "cancun" ? "compile" : "build:london"}\` in the checkout.`,
      cause,
    });
  }
}
