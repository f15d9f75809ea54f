import { createInterface } from "node:readline/promises";
import type { ReadStream, WriteStream } from "node:tty";

import { AbortedError, InvalidInputError } from "@crosscall/protocol/core";
import { toTerminal } from "./output.ts";

export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY">>;
}

/** @param what action to confirm, for the error: `the payment` */
export async function confirm(
  question: string,
  what: string,
  signal: AbortSignal,
  // oxlint-disable-next-line no-restricted-properties -- The question is escaped, and only the user's input is echoed.
  { stdin, stderr }: Terminal = process,
): Promise<void> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new InvalidInputError({
      field: "--yes",
      value: undefined,
      reason: "there is no terminal for confirmation",
      hint: "Add --yes to continue without confirmation, or --dry-run to make no changes.",
    });
  }
  const terminal = createInterface({ input: stdin, output: stderr });
  // readline captures Ctrl-C.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const closed = new AbortController();
  terminal.once("close", () => closed.abort());
  try {
    const answer = await terminal.question(toTerminal(`${question} [y/N] `), {
      signal: AbortSignal.any([signal, closed.signal]),
    });
    if (!/^y(es)?$/iu.test(answer.trim())) throw new AbortedError({ what });
  } catch (cause) {
    // readline handles Ctrl-D itself.
    if (cause instanceof Error && cause.name === "AbortError") throw new AbortedError({ what, cause });
    throw cause;
  } finally {
    terminal.close();
  }
}
