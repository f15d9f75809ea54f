import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionParameters,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  type DecodeFunctionResultParameters,
  encodeFunctionData,
  type EncodeFunctionDataParameters,
  type Hex,
} from "viem";

/** Caller of contracts at the latest block. */
export interface ContractCaller {
  call(to: Address, data: Hex): Promise<Hex>;
}

type Reading = "view" | "pure";

export async function readContract<
  const ContractAbi extends Abi,
  Name extends ContractFunctionName<ContractAbi, Reading>,
  const Args extends ContractFunctionArgs<ContractAbi, Reading, Name>,
>(
  caller: ContractCaller,
  { address, abi, functionName, args }: ContractFunctionParameters<ContractAbi, Reading, Name, Args>,
): Promise<ContractFunctionReturnType<ContractAbi, Reading, Name, Args>> {
  const data = await caller.call(
    address,
    encodeFunctionData({ abi, functionName, args } as EncodeFunctionDataParameters),
  );
  return decodeFunctionResult({ abi, functionName, args, data } as DecodeFunctionResultParameters) as never;
}
