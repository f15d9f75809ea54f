import { createRequire } from "node:module";

import { BaseContract, ContractFactory, type InterfaceAbi, type Signer, getAddress } from "ethers";

interface LinkPosition {
  readonly start: number;
  readonly length: number;
}

/** Contract artifact from a protocol's package. */
interface PublishedArtifact {
  readonly abi: InterfaceAbi;
  readonly bytecode: string;
  readonly linkReferences?: Readonly<Record<string, Readonly<Record<string, readonly LinkPosition[]>>>>;
}

/** Addresses of deployed libraries by name. */
export type Libraries = Readonly<Record<string, string>>;

const require = createRequire(import.meta.url);

/**
 * Deploys a contract with its authors' bytecode.
 *
 * @param artifact path of the artifact, starting with the package name
 */
export async function deployPublished(
  deployer: Signer,
  artifact: string,
  args: readonly unknown[] = [],
  libraries: Libraries = {},
): Promise<BaseContract> {
  const published = readPublished(artifact);
  const contract = await new ContractFactory(published.abi, link(published, libraries), deployer).deploy(...args);
  return contract.waitForDeployment();
}

/** Returns a deployed contract with a published interface. */
export function attachPublished(deployer: Signer, artifact: string, address: string): BaseContract {
  return new BaseContract(address, readPublished(artifact).abi, deployer);
}

/** Sends a transaction that calls a function, and waits until it is included. */
export async function send(contract: BaseContract, name: string, ...args: readonly unknown[]): Promise<void> {
  const transaction = await contract.getFunction(name).send(...args);
  await transaction.wait();
}

/** Calls a function that returns an address. */
export async function readAddress(contract: BaseContract, name: string, ...args: readonly unknown[]): Promise<string> {
  return getAddress((await contract.getFunction(name).staticCall(...args)) as string);
}

function readPublished(artifact: string): PublishedArtifact {
  return require(artifact) as PublishedArtifact;
}

function link({ bytecode, linkReferences = {} }: PublishedArtifact, libraries: Libraries): string {
  let linked = bytecode;
  for (const [name, positions] of Object.values(linkReferences).flatMap((file) => Object.entries(file))) {
    const address = libraries[name];
    if (address === undefined) throw new Error(`the library ${name} is not deployed`);
    for (const { start, length } of positions) {
      const at = 2 + 2 * start;
      linked = linked.slice(0, at) + address.slice(2).toLowerCase() + linked.slice(at + 2 * length);
    }
  }
  return linked;
}
