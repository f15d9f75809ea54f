/**
 * An action of a command that loads its module when the command runs, so that `--help` and other commands start without
 * it.
 *
 * @param load imports the module and returns the function that runs the command
 */
export function lazily<Parameters extends readonly unknown[]>(
  load: () => Promise<(...parameters: Parameters) => Promise<void> | void>,
): (...parameters: Parameters) => Promise<void> {
  return async (...parameters) => {
    const run = await load();
    await run(...parameters);
  };
}
