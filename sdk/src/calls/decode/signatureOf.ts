import type { AbiParameter } from "viem";

/** `approve(address,uint256)`: the hash gives the selector. */
export function signatureOf({ name, inputs }: { name: string; inputs: readonly AbiParameter[] }): string {
  return `${name}(${inputs.map(typeOf).join(",")})`;
}

function typeOf(input: AbiParameter): string {
  if (!("components" in input)) return input.type;
  return `(${input.components.map(typeOf).join(",")})${input.type.slice("tuple".length)}`;
}
