import { type Abi, type AbiFunction, decodeFunctionData, encodeFunctionData, type Hex } from "viem";

import type { DecodedArgument } from "./decodedCall.ts";

/** Call data as a function reads it. */
export interface ReadFunction {
  readonly item: AbiFunction;
  readonly args: readonly DecodedArgument[];
  /** What stands behind the arguments; `undefined` where the data is no plain encoding of them. */
  readonly tail: Hex | undefined;
}

/** Reads call data with the ABI of one function; gives nothing where it does not fit. */
export function readFunction(item: AbiFunction, data: Hex): ReadFunction | undefined {
  try {
    const { args = [] } = decodeFunctionData<Abi>({ abi: [item], data });
    const plain = encodeFunctionData<Abi>({ abi: [item], functionName: item.name, args });
    return {
      item,
      args: item.inputs.map(({ name = "", type }, index) => ({ name, type, value: args[index] })),
      tail: data.startsWith(plain) ? `0x${data.slice(plain.length)}` : undefined,
    };
  } catch {
    return undefined;
  }
}
