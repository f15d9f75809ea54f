/**
 * Storage in which an execution records each action before its start, so that the next run with the same quote resumes.
 * `set` must be durable when it resolves, and only one execution of a request may use the journal at a time. The
 * journal contains signed transactions: a reader can broadcast them, but do nothing else.
 */
export interface ExecutionJournal {
  /** Returns the last value set, or undefined. */
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
}

/** Creates a journal in memory, which lasts as long as the process. */
export function createMemoryJournal(): ExecutionJournal {
  const entries = new Map<string, string>();
  return {
    get: (key) => Promise.resolve(entries.get(key)),
    set(key, value) {
      entries.set(key, value);
      return Promise.resolve();
    },
  };
}
