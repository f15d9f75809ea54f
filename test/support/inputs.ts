/** `npm run test:campaigns` uses 20 times as many inputs as `npm test`. */
const FACTOR = Number(process.env.CROSSCALL_TEST_INPUTS ?? 1);

/** Returns the number of random inputs per property. */
export function inputs(count: number): number {
  return count * FACTOR;
}
