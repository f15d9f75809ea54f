import { existsSync } from "node:fs";
import { createRequire } from "node:module";

import { type Abi, type Address, domainSeparator, type Hex, numberToHex, size, sliceHex } from "viem";

import { type CreatableCode, PERMIT2_ADDRESS } from "@crosscall/protocol/chains";

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
 * Reads an artifact exactly as its authors published it.
 *
 * @param path path of the artifact, which starts with the package name
 * @param libraries addresses of the libraries to link
 */
export function readPublished(path: string, libraries: Libraries = {}): CreatableCode {
  const { abi, bytecode, linkReferences = {} } = read(path) as PublishedArtifact;
  let linked: string = bytecode;
  for (const [name, positions] of Object.values(linkReferences).flatMap((file) => Object.entries(file))) {
    const address = libraries[name];
    if (address === undefined) throw new RangeError(`${path} requires the library ${name}`);
    for (const { start, length } of positions) {
      const at = 2 + 2 * start;
      linked = linked.slice(0, at) + address.slice(2).toLowerCase() + linked.slice(at + 2 * length);
    }
  }
  return { abi, bytecode: linked as Hex };
}

/** Reads creation code from an artifact of Foundry, which nests the code. */
function readPublishedBytes(path: string): Hex {
  const { bytecode } = read(path) as { readonly bytecode: { readonly object: Hex } };
  return bytecode.object;
}

function read(path: string): unknown {
  return require(isBundled ? `./${path}` : path);
}

/** Uniswap publishes Permit2's runtime code inside the creation code of this helper. */
const HELPER = "@uniswap/v4-periphery/foundry-out/DeployPermit2.sol/DeployPermit2.json";

/** First bytes and size of the runtime code. */
const BEGINNING = "6040608081526004";
const CODE_BYTES = 9_152;

/** Immutables of the published code: the chain id, and the domain separator, which depends on the address. */
const PUBLISHED_CHAIN_ID = 31_337;
const PUBLISHED_SEPARATOR: Hex = "0xd5a17abc3865df5c1400c0299bd4ce2eefc8114aec5f9d3dded1745783e57b98";

/** Returns Permit2's runtime code as its constructor leaves it on this chain at {@link PERMIT2_ADDRESS}. */
export function permit2Code(chainId: number): Hex {
  const helper = readPublishedBytes(HELPER);
  const at = (helper.indexOf(BEGINNING) - 2) / 2;
  const code = sliceHex(helper, at, at + CODE_BYTES);
  const separator = domainSeparator({ domain: { name: "Permit2", chainId, verifyingContract: PERMIT2_ADDRESS } });
  const own = replaceWord(code, toWord(PUBLISHED_CHAIN_ID), toWord(chainId));
  return replaceWord(own, PUBLISHED_SEPARATOR, separator);
}

function toWord(value: number): Hex {
  return numberToHex(value, { size: 32 });
}

function replaceWord(code: Hex, from: Hex, to: Hex): Hex {
  const parts = code.split(from.slice(2));
  if (parts.length !== 2 || size(code) !== CODE_BYTES) throw new RangeError(`${HELPER} has unexpected code`);
  return parts.join(to.slice(2)) as Hex;
}

/** Paths of the sources below `contracts/`, without the extension. */
export const CONTRACT_SOURCES = {
  "router 3.0": "localnet/LocalRouter",
  "router 3.2": "localnet/LocalRouter32",
  depository: "localnet/LocalDepository",
  dollar: "localnet/tokens/LocalDollar",
  tether: "localnet/tokens/LocalTether",
  feeToken: "localnet/tokens/LocalFeeToken",
  token: "localnet/tokens/LocalToken",
  LiveDollar: "localnet/tokens/LiveDollar",
  LiveTether: "localnet/tokens/LiveTether",
  LiveToken: "localnet/tokens/LiveToken",
  sweeper: "localnet/LocalSweeper",
  "approval proxy 3.0": "localnet/LocalApprovalProxy",
  "approval proxy 3.2": "localnet/LocalApprovalProxy32",
  batchExecutor: "localnet/LocalBatchExecutor",
  vault: "localnet/LocalVault",
  vaultProxy: "proxies/Erc4626Proxy",
  attestationVerifier: "attestation/AttestationVerifier",
  hub: "localnet/LocalHub",
} as const;
