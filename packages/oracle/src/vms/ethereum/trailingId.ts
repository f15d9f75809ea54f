import { type Address, type Hex, zeroHash } from "viem";

/** A transfer to the depository. */
export interface BareTransfer {
  readonly depository: Address;
  readonly amount: bigint;
}

export type FindTrailingId = (input: Hex, transfer: BareTransfer) => Hex;

const WORD = "[0-9a-f]{64}";
const TRANSFER = `(?:a9059cbb|23b872dd${WORD})(${WORD})(${WORD})(${WORD})?`;

/**
 * The 32 bytes after a `transfer` or `transferFrom` of this amount to the depository, anywhere in the input: a batch or
 * a smart wallet makes the call. An id does not start with 16 zero bytes, as padding does.
 *
 * @returns zero without an id, and if several such calls have different ones
 */
export function findAnyTrailingId(input: Hex, { depository, amount }: BareTransfer): Hex {
  const ids = new Set<string | undefined>();
  for (const [, to = "", value, id] of input.matchAll(new RegExp(TRANSFER, "gu"))) {
    if (isDepository(to, depository) && BigInt(`0x${value}`) === amount) ids.add(id);
  }
  const [id] = ids;
  return ids.size === 1 ? toId(id) : zeroHash;
}

const TOP_LEVEL_TRANSFER = new RegExp(`^0x${TRANSFER}`, "u");

/** Only after a `transfer` or `transferFrom` to the depository that the transaction itself calls, of any amount. */
export function findTopLevelTrailingId(input: Hex, { depository }: BareTransfer): Hex {
  const [, to = "", , id] = TOP_LEVEL_TRANSFER.exec(input) ?? [];
  return isDepository(to, depository) ? toId(id) : zeroHash;
}

function isDepository(word: string, depository: Address): boolean {
  return word.slice(24) === depository.slice(2);
}

function toId(id: string | undefined): Hex {
  return id === undefined || id.startsWith("0".repeat(32)) ? zeroHash : `0x${id}`;
}
