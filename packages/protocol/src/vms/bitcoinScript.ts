import { type Hex, concat, size, slice, toHex } from "viem";

import { BITCOIN_CODEC } from "./bitcoin.ts";
import { refuseText } from "./readText.ts";

const LEGACY_PREFIX = "0xff";
const PAY_TO_KEY_HASH = "0x00";
const PAY_TO_SCRIPT_HASH = "0x05";

/** The opcode that pushes 1; those up to 16 follow. */
const OP_1 = 0x51;

/**
 * The script that outputs to an address are locked by.
 *
 * @param field its path, for the error
 */
export function bitcoinScript(address: string, field: string): Hex {
  const encoded = BITCOIN_CODEC.encodeAddress(address, field);
  if (!encoded.startsWith(LEGACY_PREFIX)) {
    const [version, program] = [Number(slice(encoded, 0, 1)), slice(encoded, 1)];
    const push = toHex(size(program), { size: 1 });
    return concat([toHex(version === 0 ? 0 : OP_1 + version - 1, { size: 1 }), push, program]);
  }
  const [version, hash] = [slice(encoded, 1, 2), slice(encoded, 2)];
  if (version === PAY_TO_KEY_HASH) return concat(["0x76a914", hash, "0x88ac"]);
  if (version === PAY_TO_SCRIPT_HASH) return concat(["0xa914", hash, "0x87"]);
  return refuseText(address, { field, what: "a mainnet address" });
}
