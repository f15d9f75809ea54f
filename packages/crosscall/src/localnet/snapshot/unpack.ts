import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

import type { InvalidInputError } from "@crosscall/protocol/core";
import { isTooDeep } from "../jsonDepth.ts";

/** About 6,000 requests. */
export const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

/** Maximum number of JSON values, because each takes far more memory than its text. Real snapshots have fewer. */
const MAX_VALUES = 2_500_000;

/** Returns the unpacked size that a gzip file declares in its trailer, modulo 2^32. */
export function declaredSize(end: Buffer): number {
  return end.length < 4 ? 0 : end.readUInt32LE(end.length - 4);
}

/**
 * Unpacks JSON from gzip. Stops when the JSON exceeds the declared size, because a small file can unpack to thousands
 * of times its size.
 *
 * @param declared see {@link declaredSize}
 * @param refuse creates the error for a rejected file
 */
export async function unpack(
  packed: Readable,
  declared: number,
  refuse: (reason: string) => InvalidInputError,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  let values = 0;
  const gunzip = createGunzip();
  packed.once("error", (error) => gunzip.destroy(error));
  try {
    if (declared > MAX_UNPACKED_BYTES) {
      throw refuse(`it unpacks to ${declared} bytes, more than the limit of ${MAX_UNPACKED_BYTES}`);
    }
    for await (const chunk of packed.pipe(gunzip) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > declared) throw refuse(`it unpacks to more than the ${declared} bytes that it declares`);
      values += countValues(chunk);
      if (values > MAX_VALUES) throw refuse(`it has more than ${MAX_VALUES} values`);
      chunks.push(chunk);
    }
  } finally {
    packed.destroy();
  }
  const text = Buffer.concat(chunks, size).toString();
  if (isTooDeep(text)) throw refuse("its values are nested too deeply");
  return text;
}

/** Characters after which a JSON value starts. The strings of a snapshot contain few of them. */
const SEPARATORS: ReadonlySet<number> = new Set(Buffer.from("[{,"));

function countValues(chunk: Buffer): number {
  let count = 0;
  for (const byte of chunk) if (SEPARATORS.has(byte)) count += 1;
  return count;
}
