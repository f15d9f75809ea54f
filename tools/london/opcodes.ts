const PUSH1 = 0x60;
const PUSH32 = 0x7f;

const AFTER_LONDON: ReadonlyMap<number, string> = new Map([
  [0x49, "BLOBHASH"],
  [0x4a, "BLOBBASEFEE"],
  [0x5c, "TLOAD"],
  [0x5d, "TSTORE"],
  [0x5e, "MCOPY"],
  [0x5f, "PUSH0"],
]);

/** Returns the CBOR at the end of the code, with its length in two bytes. */
function metadataOf(runtime: Buffer): Buffer {
  const length = runtime.length < 2 ? 0 : runtime.readUInt16BE(runtime.length - 2);
  const start = runtime.length - 2 - length;
  // The metadata is a map with one or two entries; otherwise, the last bytes are code.
  return start >= 0 && (runtime[start] === 0xa1 || runtime[start] === 0xa2) ? runtime.subarray(start) : Buffer.alloc(0);
}

/**
 * Lists opcodes. Skips push data and metadata. Other data counts as code, so the list can have too many opcodes, but
 * never too few.
 */
export function opcodesAfterLondon(creation: string, runtime: string): ReadonlySet<string> {
  const metadata = metadataOf(Buffer.from(runtime.slice(2), "hex")).toString("hex");
  const parts = metadata === "" ? [creation.slice(2)] : creation.slice(2).split(metadata);
  return new Set(parts.flatMap((part) => [...namesIn(Buffer.from(part, "hex"))]));
}

function* namesIn(code: Buffer): Generator<string> {
  for (let at = 0; at < code.length; at += 1) {
    const opcode = code.readUInt8(at);
    const name = AFTER_LONDON.get(opcode);
    if (name !== undefined) yield name;
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1;
  }
}
