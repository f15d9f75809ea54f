/**
 * Loads the module of an action when the command runs, so that `--help` and other commands start fast.
 *
 * @param load imports the module and returns the function to run
 */
export function lazily<Parameters extends readonly unknown[]>(
  load: () => Promise<(...parameters: Parameters) => Promise<void> | void>,
): (...parameters: Parameters) => Promise<void> {
  return async (...parameters) => {
    const run = await load();
    await run(...parameters);
  };
}
