import { concatBytes, type Hex, hexToBytes, sha256, stringToBytes } from "viem";

import { InvalidStateError } from "../core/errors.ts";
import { encodeBase58 } from "../encoding/baseTexts.ts";
import { SOLANA_CODEC } from "./solana.ts";
import { ASSOCIATED_TOKEN_PROGRAM } from "./svmPrograms.ts";

const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Returns a program-derived address: the first address, counting the bump down, that is not on the curve and therefore
 * has no key.
 *
 * @throws {@link InvalidStateError} if no such address exists, which is practically impossible
 */
export function programAddress(seeds: readonly Uint8Array[], program: string): string {
  for (let bump = 255; bump >= 0; bump--) {
    const parts = [...seeds, Uint8Array.of(bump), keyBytes(program), stringToBytes("ProgramDerivedAddress")];
    const address = sha256(concatBytes(parts), "bytes");
    if (!isOnCurve(address)) return encodeBase58(address);
  }
  throw new InvalidStateError({
    message: `program ${program} has no address for these seeds`,
    hint: "Use other seeds.",
  });
}

/** Returns the account that holds the owner and the allocator of the depository. */
export function depositoryStateOf(depository: string): string {
  return programAddress([stringToBytes("relay_depository")], depository);
}

/** Returns the account that holds the depository's native currency. */
export function vaultOf(depository: string): string {
  return programAddress([stringToBytes("vault")], depository);
}

/** Returns the address of the account that records an executed withdrawal. */
export function usedRequestOf(depository: string, withdrawalId: Hex): string {
  return programAddress([stringToBytes("used_request"), hexToBytes(withdrawalId)], depository);
}

export function associatedTokenAccount(owner: string, mint: string, tokenProgram: string): string {
  return programAddress([owner, tokenProgram, mint].map(keyBytes), ASSOCIATED_TOKEN_PROGRAM);
}

function keyBytes(address: string): Uint8Array {
  return hexToBytes(SOLANA_CODEC.encodeAddress(address, "address"));
}

/** Returns whether x² = (y² - 1) / (dy² + 1) has a root. */
function isOnCurve(bytes: Uint8Array): boolean {
  let y = 0n;
  for (const [index, byte] of bytes.entries()) y |= BigInt(index === 31 ? byte & 0x7f : byte) << BigInt(8 * index);
  const square = (y * y) % P;
  const ratio = ((square + P - 1n) * (D * square + 1n)) % P;
  // Euler's criterion: a root exists unless this power is -1.
  return power(ratio, (P - 1n) / 2n) !== P - 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, factor] = [1n, base];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * factor) % P;
    factor = (factor * factor) % P;
  }
  return result;
}
