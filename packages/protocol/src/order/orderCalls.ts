import { type Address, type Hex, decodeAbiParameters, encodeAbiParameters } from "viem";

import { parseEvmAddress } from "../chains/address.ts";
import { parseAmount } from "../encoding/amounts.ts";
import { MalformedDataError } from "../core/errors.ts";
import { type Call, parseCallData } from "../common/call.ts";

const CALL_PARAMETERS = [
  { type: "tuple", components: [{ name: "to", type: "address" }] },
  { type: "tuple", components: [{ name: "data", type: "bytes" }] },
  { type: "tuple", components: [{ name: "value", type: "uint256" }] },
] as const;

const FILL_CONTRACT_PARAMETERS = [{ type: "tuple", components: [{ name: "fillContract", type: "address" }] }] as const;

/**
 * Encodes a call as an entry of `output.calls`: three one-member tuples (spec 4, section 2).
 *
 * @throws {@link InvalidInputError} when `to` is not an EVM address, `data` is not hex of whole bytes, or `value` is
 * not an amount
 */
export function encodeOrderCall(call: Call): Hex {
  return encodeAbiParameters(CALL_PARAMETERS, [
    { to: parseEvmAddress(call.to, "to") },
    { data: parseCallData(call.data, "data") },
    { value: parseAmount(call.value, "value") },
  ]);
}

/**
 * Decodes an entry of `output.calls`: checksummed `to`, `value` in wei.
 *
 * @throws {@link MalformedDataError} when the entry is not such an encoding
 */
export function decodeOrderCall(encoded: string): Call {
  const [{ to }, { data }, { value }] = decode("a call of an order", () =>
    decodeAbiParameters(CALL_PARAMETERS, encoded as Hex),
  );
  return { to, data, value: value.toString() };
}

/**
 * Encodes the `extraData` of an EVM output or refund: the contract that makes the fill, which is the router (spec 4,
 * section 2).
 */
export function encodeFillContract(address: string): Hex {
  return encodeAbiParameters(FILL_CONTRACT_PARAMETERS, [{ fillContract: parseEvmAddress(address, "fillContract") }]);
}

/**
 * Returns the contract in an `extraData`, checksummed.
 *
 * @throws {@link MalformedDataError} when the data is not a single ABI-encoded address
 */
export function decodeFillContract(extraData: string): Address {
  const what = "the extraData of an order";
  const [{ fillContract }] = decode(what, () => decodeAbiParameters(FILL_CONTRACT_PARAMETERS, extraData as Hex));
  // The decoder ignores extra bytes, which could hide what the orderId commits to.
  if (encodeFillContract(fillContract) !== extraData.toLowerCase()) {
    throw new MalformedDataError({ what, path: "", reason: "it is not a single ABI-encoded address" });
  }
  return fillContract;
}

function decode<Value>(what: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new MalformedDataError({ what, path: "", reason: "it is not the documented ABI encoding", cause });
  }
}
