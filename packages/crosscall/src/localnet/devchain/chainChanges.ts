/** What a node responds to a call until the next change. */
export interface KnownResponse {
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly result: unknown;
}

type ChangeListener = (responses: readonly KnownResponse[]) => void;

/** Announces changes of a chain: new blocks, reorgs, and other state that a local node lets callers set. */
export class ChainChanges {
  /** Whether every change is announced; otherwise, only those made through this process. */
  isComplete: boolean;
  readonly #listeners = new Set<ChangeListener>();

  constructor(isComplete: boolean) {
    this.isComplete = isComplete;
  }

  /** @returns ends the subscription */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param responses to calls that most listeners make then */
  announce(responses: readonly KnownResponse[] = []): void {
    for (const listener of this.#listeners) listener(responses);
  }
}
