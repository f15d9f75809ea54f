import { createReadStream } from "node:fs";

import { InvalidInputError } from "@crosscall/protocol/core";
import { isTooDeep, MAX_DEPTH } from "../localnet/jsonDepth.ts";

/** Default size limit. Plans, quotes, records and reports are far smaller. */
const MAX_BYTES = 32 * 1024 * 1024;

export interface JsonLimits {
  readonly maxBytes?: number;
  readonly maxDepth?: number;
}

/**
 * Reads JSON up to the limit, even from files without a size, such as pipes.
 *
 * @param field name of the argument or option with the path
 * @throws {@link InvalidInputError} if the file is not JSON within the limits
 */
export async function readJson(path: string, field: string, limits: JsonLimits = {}): Promise<unknown> {
  const { maxBytes = MAX_BYTES, maxDepth = MAX_DEPTH } = limits;
  const refuse = (reason: string, cause?: unknown): InvalidInputError =>
    new InvalidInputError({ field, value: path, reason, hint: "Pass the path of a readable JSON file.", cause });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw refuse("the file cannot be read", cause);
  }
  if (size > maxBytes) throw refuse(`the file is larger than ${maxBytes} bytes`);
  const text = decodeText(Buffer.concat(chunks));
  if (isTooDeep(text, maxDepth)) throw refuse(`its values are nested deeper than ${maxDepth} levels`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuse("the file is not JSON", cause);
  }
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, as PowerShell writes redirected output. */
function decodeText(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}
