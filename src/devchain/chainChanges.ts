/** Announces changes of a chain: new blocks, reorgs, and other state that a local node lets callers set. */
export class ChainChanges {
  /** Whether every change is announced; otherwise, only those made through this process. */
  readonly isComplete: boolean;
  readonly #listeners = new Set<() => void>();

  constructor(isComplete: boolean) {
    this.isComplete = isComplete;
  }

  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
