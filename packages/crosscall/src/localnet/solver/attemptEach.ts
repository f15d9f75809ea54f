import { throwIfAborted } from "@crosscall/protocol/core";
import type { Reporter } from "./solverParts.ts";

export interface Attempts<Item> {
  /** Description for the log, such as `record a transaction`. */
  readonly what: string;
  /** Fields that identify an item in the log. */
  readonly facts: (item: Item) => object;
  readonly attempt: (item: Item) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Processes the items one by one. If one fails, logs it and continues with the next.
 *
 * @returns whether all succeeded
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
