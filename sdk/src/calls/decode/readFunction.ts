import { type Abi, type AbiFunction, decodeFunctionData, encodeFunctionData, type Hex } from "viem";

import type { DecodedArgument } from "./decodedCall.ts";

export interface ReadFunction {
  readonly item: AbiFunction;
  readonly args: readonly DecodedArgument[];
  /** Bytes after the arguments; `undefined` for a non-canonical encoding. */
  readonly tail: Hex | undefined;
}

/** Undefined if the data does not match. */
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
