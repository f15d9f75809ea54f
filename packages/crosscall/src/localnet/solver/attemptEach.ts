import { throwIfAborted } from "@crosscall/protocol/core";
import type { Reporter } from "./solverParts.ts";

export interface Attempts<Item> {
  /** For the log, such as `record a transaction`. */
  readonly what: string;
  /** Names an item in the log. */
  readonly facts: (item: Item) => object;
  readonly attempt: (item: Item) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Processes the items one by one. Logs a failure, and continues with the next item.
 *
 * @returns whether none failed
 * @throws {@link AbortedError} when the signal fires
 */
export async function attemptEach<Item>(
  { log }: Reporter,
  items: Iterable<Item>,
  { what, facts, attempt, signal }: Attempts<Item>,
): Promise<boolean> {
  let haveAllWorked = true;
  for (const item of items) {
    throwIfAborted(signal, what);
    try {
      await attempt(item);
    } catch (error) {
      throwIfAborted(signal, what);
      haveAllWorked = false;
      log.error({ ...facts(item), error }, `could not ${what}`);
    }
  }
  return haveAllWorked;
}
