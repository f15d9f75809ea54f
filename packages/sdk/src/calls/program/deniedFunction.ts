import { type Hex, toFunctionSelector } from "viem";

import { deniedFunctions } from "@crosscall/protocol/abi/deniedFunctions";

const bySelector = new Map<Hex, string>(deniedFunctions.map((signature) => [toFunctionSelector(signature), signature]));

/** The function's signature, if the executor denies calls to it. */
export function deniedFunction(selector: Hex): string | undefined {
  return bySelector.get(selector);
}
