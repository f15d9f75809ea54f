// Separate from the tokens, so that `--help` loads no chain client.

/** US dollars are times 10^18. */
export const USD_ONE = 10n ** 18n;

/** From US dollars with up to nine decimals, to US dollars times 10^18. */
export function toUsdE18(priceUsd: number): bigint {
  return BigInt(Math.round(priceUsd * 1e9)) * 10n ** 9n;
}
