import { type Account, type Address, type Chain, type Client, type Transport, size } from "viem";
import { getCode, sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { TransactionFailedError } from "../core/errors.ts";
import { CREATE2_FACTORY, type Deployable, deploymentAddress, deploymentData } from "./create2.ts";

/**
 * Deploys a contract through the CREATE2 factory, unless the contract exists.
 * @param client wallet client with an account on the target chain
 * @returns the contract's address
 */
export async function deploy(client: Client<Transport, Chain, Account>, deployable: Deployable): Promise<Address> {
  const address = deploymentAddress(deployable);
  if (await hasCode(client, address)) return address;
  const hash = await sendTransaction(client, { to: CREATE2_FACTORY, data: deploymentData(deployable) });
  const receipt = await waitForTransactionReceipt(client, { hash });
  if (receipt.status !== "success" || !(await hasCode(client, address))) {
    throw new TransactionFailedError({
      message: `the deployment to ${address} on chain ${client.chain.id} failed`,
      hint: "Check the constructor arguments, the deployer's balance and the block gas limit.",
      chainId: client.chain.id,
      txHash: hash,
    });
  }
  return address;
}

export async function hasCode(client: Client, address: Address): Promise<boolean> {
  const code = await getCode(client, { address });
  return code !== undefined && size(code) > 0;
}
