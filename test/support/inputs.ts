/** `npm run test:campaigns` tries 20 times as many as `npm test`. */
const FACTOR = Number(process.env.CROSSCALL_TEST_INPUTS ?? 1);

/** How many random inputs a property is tried with. */
export function inputs(count: number): number {
  return count * FACTOR;
}
