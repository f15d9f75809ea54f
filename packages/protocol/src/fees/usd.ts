import { MalformedDataError } from "../core/errors.ts";

/** One US dollar, scaled by 10^18. */
export const USD_ONE_E18 = 10n ** 18n;

const DECIMALS = 18;

/**
 * Parses US dollars in the service's notation: a decimal string, which can be negative or have an exponent. Drops
 * decimals after the 18th.
 * @param what name of the data that contains the amount, for the error
 * @param path path of the amount in that data, for the error
 * @returns US dollars, scaled by 10^18
 * @throws {@link MalformedDataError} when the text is not a number
 */
export function parseUsd(text: string, what: string, path: string): bigint {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/iu.exec(text);
  if (match === null) throw new MalformedDataError({ what, path, reason: "it is not an amount in US dollars" });
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const shift = DECIMALS - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const size = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === "-" ? -size : size;
}

/**
 * Formats US dollars exactly, without rounding.
 *
 * @param usdE18 US dollars, scaled by 10^18
 * @param minimumDigits minimum number of digits after the point; 2 by default
 */
export function formatUsd(usdE18: bigint, minimumDigits = 2): string {
  const size = usdE18 < 0n ? -usdE18 : usdE18;
  const digits = size.toString().padStart(DECIMALS + 1, "0");
  const fraction = digits.slice(-DECIMALS).replace(/0+$/u, "").padEnd(minimumDigits, "0");
  const text = `${digits.slice(0, -DECIMALS)}${fraction === "" ? "" : `.${fraction}`}`;
  return usdE18 < 0n ? `-${text}` : text;
}
