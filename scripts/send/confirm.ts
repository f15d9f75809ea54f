import { createInterface } from "node:readline/promises";

import { AbortedError, InvalidInputError } from "../../src/core/errors.ts";

/**
 * Asks the user on the terminal whether to go on.
 *
 * @throws {@link InvalidInputError} where nobody is there to be asked
 * @throws {@link AbortedError} when the answer is not yes
 */
export async function confirm(question: string, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new InvalidInputError({
      field: "--yes",
      value: undefined,
      reason: "there is no terminal to ask on",
      cure: "Add --yes to send without being asked, or --dry-run to look only.",
    });
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // The terminal's reader takes Ctrl-C for itself.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal });
    if (!/^y(es)?$/iu.test(answer.trim())) throw new AbortedError({ what: "the payment" });
  } catch (cause) {
    throw signal.aborted ? new AbortedError({ what: "the payment", cause }) : cause;
  } finally {
    terminal.close();
  }
}
