import {
  type Abi,
  type Address,
  type BaseError,
  type Client,
  type ContractFunctionArgs,
  type ContractFunctionName,
  decodeFunctionResult,
  type DecodeFunctionResultParameters,
  encodeFunctionData,
  getContractError,
  type Hex,
  hexToBigInt,
  type ReadContractParameters,
  type ReadContractReturnType,
} from "viem";

import { CrosscallError } from "../core/errors.ts";

/** Like viem's `readContract`, without its support for undeployed contracts, which would add 5% to the SDK. */
export async function call(client: Client, to: Address | undefined, data: Hex): Promise<Hex> {
  return client.request({ method: "eth_call", params: [to === undefined ? { data } : { to, data }, "latest"] });
}

/** As viem's. */
export async function readContract<
  const abi extends Abi,
  name extends ContractFunctionName<abi, "pure" | "view">,
  const args extends ContractFunctionArgs<abi, "pure" | "view", name>,
>(
  client: Client,
  parameters: ReadContractParameters<abi, name, args>,
): Promise<ReadContractReturnType<abi, name, args>> {
  const { address: to, abi, functionName, args } = parameters as ReadContractParameters;
  const data = encodeFunctionData({ abi, functionName, args });
  try {
    const result = await call(client, to, data);
    const decoding = { abi, functionName, args, data: result } as DecodeFunctionResultParameters;
    return decodeFunctionResult(decoding) as ReadContractReturnType<abi, name, args>;
  } catch (error) {
    if (error instanceof CrosscallError) throw error;
    const failure: Error = getContractError(error as BaseError, { abi, address: to, args, functionName });
    throw failure;
  }
}

/** As viem's. */
export async function getBalance(client: Client, { address }: { readonly address: Address }): Promise<bigint> {
  return hexToBigInt(await client.request({ method: "eth_getBalance", params: [address, "latest"] }));
}
