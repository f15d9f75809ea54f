/** The seed of all random inputs of the TypeScript tests: always the same, unless `--seed` gives another. */
export const SEED = Number(process.env.CROSSCALL_TEST_SEED ?? 1);
