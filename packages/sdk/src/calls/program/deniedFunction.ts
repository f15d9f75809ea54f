import { type Hex, toFunctionSelector } from "viem";

import { deniedFunctions } from "@crosscall/protocol/abi/deniedFunctions";

const bySelector = new Map<Hex, string>(deniedFunctions.map((signature) => [toFunctionSelector(signature), signature]));

/** The signature, if the executor denies calls of it. */
export function deniedFunction(selector: Hex): string | undefined {
  return bySelector.get(selector);
}
