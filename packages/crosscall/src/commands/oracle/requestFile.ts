import { once } from "node:events";
import { createReadStream } from "node:fs";

import { InvalidInputError } from "@crosscall/protocol/core";
import { readLines } from "../../options/readLines.ts";
import { type NumberedRequest, readRequests } from "@crosscall/oracle/check";

/** Reads requests from a file, or from standard input for `-`. */
export async function* readRequestFile(
  path: string,
  field: string,
  signal: AbortSignal,
): AsyncGenerator<NumberedRequest> {
  const input = path === "-" ? process.stdin : createReadStream(path);
  if (path !== "-") {
    await once(input, "open").catch((cause: unknown) => {
      const reason = "the file cannot be read";
      throw new InvalidInputError({ field, value: path, reason, hint: "Pass a file of JSON lines, or `-`.", cause });
    });
  }
  try {
    yield* readRequests(readLines(input, { field, path, signal }), field);
  } finally {
    input.destroy();
  }
  signal.throwIfAborted();
}
