/** Seed of random inputs, which is fixed unless `--seed` sets another. */
export const SEED = Number(process.env.CROSSCALL_TEST_SEED ?? 1);
