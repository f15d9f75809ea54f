/**
 * Runs work once for each key. A second call for a key waits for the first one and ends as it does; work that failed may
 * be run again.
 *
 * @param remembered how many keys are kept; the oldest is forgotten first
 */
export function createOnceByKey(remembered: number): (key: string, work: () => Promise<void>) => Promise<void> {
  const runs = new Map<string, Promise<void>>();
  return (key, work) => {
    const earlier = runs.get(key);
    if (earlier !== undefined) return earlier;
    const run = work().catch((error: unknown) => {
      runs.delete(key);
      throw error;
    });
    runs.set(key, run);
    for (const oldest of runs.keys()) {
      if (runs.size <= remembered) break;
      runs.delete(oldest);
    }
    return run;
  };
}
