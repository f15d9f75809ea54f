/** Runs work sequentially, in the order of the calls. A failure does not stop what follows. */
export type Mutex = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
