import { padBits, unpadBits } from "./regroupBits.ts";

/** Witness version and program (BIP-141). */
export interface SegwitProgram {
  readonly version: number;
  readonly program: Uint8Array;
}

const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/** Human-readable part `bc`, expanded for the checksum. */
const PREFIX_DIGITS = [3, 3, 0, 2, 3];

const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

const CHECKSUM_DIGITS = 6;

/** Maximum length of the whole address. */
const MAX_LENGTH = 90;

const MAX_VERSION = 16;

/**
 * Returns the address on the main network (BIP-173, and BIP-350 for versions above 0), or undefined if the program has
 * none.
 */
export function encodeSegwit({ version, program }: SegwitProgram): string | undefined {
  if (version > MAX_VERSION) return undefined;
  const digits = [version, ...padBits(program, 8, 5)];
  const sum = remainderOf([...digits, ...new Uint8Array(CHECKSUM_DIGITS)]) ^ checksumOf(version);
  const checksum = Array.from({ length: CHECKSUM_DIGITS }, (_, index) => (sum >> (5 * (5 - index))) & 31);
  const address = `bc1${[...digits, ...checksum].map((digit) => ALPHABET.charAt(digit)).join("")}`;
  return address.length <= MAX_LENGTH ? address : undefined;
}

/** Parses an address in one letter case. Returns undefined if it is not a segwit address. */
export function decodeSegwit(address: string): SegwitProgram | undefined {
  const text = address.toLowerCase();
  const isOneCase = address === text || address === address.toUpperCase();
  if (!isOneCase || text.length > MAX_LENGTH || !text.startsWith("bc1")) return undefined;
  const digits = Array.from(text.slice("bc1".length), (character) => ALPHABET.indexOf(character));
  const [version, ...rest] = digits.slice(0, -CHECKSUM_DIGITS);
  if (digits.includes(-1) || version === undefined || version > MAX_VERSION) return undefined;
  const program = unpadBits(rest, 5);
  return remainderOf(digits) === checksumOf(version) && program !== undefined ? { version, program } : undefined;
}

/** Returns the checksum remainder of a valid address. */
function checksumOf(version: number): number {
  return version === 0 ? 1 : 0x2bc830a3;
}

function remainderOf(digits: readonly number[]): number {
  return [...PREFIX_DIGITS, ...digits].reduce((remainder, digit) => {
    const shifted = ((remainder & 0x1ffffff) << 5) ^ digit;
    return GENERATORS.reduce((sum, generator, bit) => ((remainder >> (25 + bit)) & 1 ? sum ^ generator : sum), shifted);
  }, 1);
}
