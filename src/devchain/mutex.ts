/** Runs work one after another, in the order of the calls; work that fails does not stop the next. */
export type Mutex = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A queue of one. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
