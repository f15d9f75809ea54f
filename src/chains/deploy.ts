import {
  type Account,
  type Address,
  type Chain,
  type Client,
  type Hex,
  type Transport,
  concat,
  encodeDeployData,
  getContractAddress,
  size,
} from "viem";
import { getCode, sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { TransactionFailedError } from "../core/errors.ts";
import type { Artifact } from "./artifacts.ts";

/** The factory that every chain has at this address: deployments through it get the same address everywhere. */
export const CREATE2_FACTORY: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C";

/** All zeros: the kit deploys each contract once for each set of constructor arguments. */
const SALT: Hex = "0x0000000000000000000000000000000000000000000000000000000000000000";

/** A contract to deploy. */
export interface Deployable {
  readonly artifact: Artifact;
  readonly args?: readonly unknown[];
}

/** Where {@link deploy} puts a contract: the same address on every chain. */
function deploymentAddress(deployable: Deployable): Address {
  return getContractAddress({
    opcode: "CREATE2",
    from: CREATE2_FACTORY,
    salt: SALT,
    bytecode: creationCode(deployable),
  });
}

/**
 * Deploys a contract through the CREATE2 factory, unless it stands there already.
 *
 * @param client a client with an account, on the chain to deploy to
 * @returns the contract's address
 * @throws {@link TransactionFailedError} when the deployment does not leave code at the address
 */
export async function deploy(client: Client<Transport, Chain, Account>, deployable: Deployable): Promise<Address> {
  const address = deploymentAddress(deployable);
  if (await hasCode(client, address)) return address;
  const hash = await sendTransaction(client, {
    to: CREATE2_FACTORY,
    data: concat([SALT, creationCode(deployable)]),
  });
  const receipt = await waitForTransactionReceipt(client, { hash });
  if (receipt.status !== "success" || !(await hasCode(client, address))) {
    throw new TransactionFailedError({
      message: `the deployment to ${address} on chain ${client.chain.id} failed`,
      cure: "Check the constructor arguments, the deployer's balance and the block gas limit.",
      chainId: client.chain.id,
      txHash: hash,
    });
  }
  return address;
}

/** Whether an address has code. */
export async function hasCode(client: Client, address: Address): Promise<boolean> {
  const code = await getCode(client, { address });
  return code !== undefined && size(code) > 0;
}

function creationCode({ artifact, args }: Deployable): Hex {
  return encodeDeployData({ abi: artifact.abi, bytecode: artifact.bytecode, args: args ?? [] });
}
