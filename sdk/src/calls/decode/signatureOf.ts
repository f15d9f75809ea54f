import type { AbiParameter } from "viem";

/** Name and types of a function, an event or an error, whose hash gives the selector: `approve(address,uint256)`. */
export function signatureOf({ name, inputs }: { name: string; inputs: readonly AbiParameter[] }): string {
  return `${name}(${inputs.map(typeOf).join(",")})`;
}

function typeOf(input: AbiParameter): string {
  if (!("components" in input)) return input.type;
  return `(${input.components.map(typeOf).join(",")})${input.type.slice("tuple".length)}`;
}
