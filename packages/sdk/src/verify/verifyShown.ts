import { parseUsd } from "@crosscall/protocol/fees";
import type { Amount } from "@crosscall/protocol/common";
import type { Quote } from "@crosscall/protocol/quote";
import { isPresent } from "@crosscall/protocol/schema";
import { knownCurrency } from "./knownCurrencies.ts";
import type { ReportDraft } from "./quoteReport.ts";
import type { QuoteTerms } from "./terms.ts";

/** Symbols of currencies with a value of one dollar. */
const DOLLARS: readonly string[] = ["USDC", "USDT", "DAI"];

/** Amounts in US dollars are rounded to six digits. */
const USD_ROUNDING_E18 = 10n ** 12n;

/** Maximum difference between prices of one currency in a quote. */
const PRICE_FACTOR = 10n;

/** A dollar token must have a value between half a dollar and two dollars. */
const DOLLAR_FACTOR = 2n;

/** Maximum number of decimals of a token. */
const DECIMALS_MAX = 77;

interface ShownAmount {
  readonly path: string;
  readonly amount: Amount;
}

/** Checks that displayed amounts match the actual amounts. */
export function verifyShown(draft: ReportDraft, { quote, limits }: QuoteTerms): void {
  const shown = amountsOf(quote);
  for (const one of shown) verifyText(draft, one);
  // The impact limit depends on USD values from the service.
  const isLimited = limits.maximumImpactBps !== undefined;
  const report = isLimited ? draft.check.bind(draft) : draft.warn.bind(draft);
  for (const { path, amount } of isLimited ? shown.slice(0, 2) : []) {
    const { symbol, decimals } = amount.currency ?? {};
    const isPriced = isPresent(symbol) && isPresent(decimals);
    draft.check("AMOUNT_SHOWN", `${path}.currency`, isPriced, "a symbol and decimals", amount.currency);
  }
  verifyPrices(shown, (path, isMet, expected, seen) => {
    report("AMOUNT_SHOWN", path, isMet, expected, seen);
  });
}

function amountsOf({ details, fees }: Quote): readonly ShownAmount[] {
  const { currencyIn, currencyOut, refundCurrency, currencyGasTopup, route } = details ?? {};
  const parts: readonly (readonly [string, Amount | null | undefined])[] = [
    ["details.currencyIn", currencyIn],
    ["details.currencyOut", currencyOut],
    ["details.refundCurrency", refundCurrency],
    ["details.currencyGasTopup", currencyGasTopup],
    ["details.route.origin.inputCurrency", route?.origin?.inputCurrency],
    ["details.route.origin.outputCurrency", route?.origin?.outputCurrency],
    ["details.route.destination.inputCurrency", route?.destination?.inputCurrency],
    ["details.route.destination.outputCurrency", route?.destination?.outputCurrency],
    ...Object.entries(fees ?? {}).map(([name, fee]) => [`fees.${name}`, fee] as const),
  ];
  return parts.flatMap(([path, amount]) => (isPresent(amount) ? [{ path, amount }] : []));
}

function verifyText(draft: ReportDraft, { path, amount: { currency, amount, amountFormatted } }: ShownAmount): void {
  const { symbol, decimals } = currency ?? {};
  const known =
    isPresent(currency?.chainId) && isPresent(currency.address)
      ? knownCurrency(currency.chainId, currency.address)
      : undefined;
  const check = (name: string, expected: string | number | undefined, seen: string | number | null | undefined) => {
    if (expected === undefined || !isPresent(seen)) return;
    draft.check("AMOUNT_SHOWN", `${path}.currency.${name}`, seen === expected, expected, seen);
  };
  check("symbol", known?.symbol, symbol);
  check("decimals", known?.decimals, decimals);
  if (!isPresent(amountFormatted) || !isPresent(amount)) return;
  const digits = decimals ?? known?.decimals;
  const isMet = digits !== undefined && isPresent(digits) && unitsOf(amountFormatted, digits) === unitsOf(amount, 0);
  draft.check(
    "AMOUNT_SHOWN",
    `${path}.amountFormatted`,
    isMet,
    `${amount} with ${digits ?? "unknown"} decimals`,
    amountFormatted,
  );
}

/** Returns undefined unless the text is a decimal number with at most this many digits. */
function unitsOf(text: string, decimals: number): bigint | undefined {
  const [, sign, whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/u.exec(text) ?? [];
  const digits = fraction.replace(/0+$/u, "");
  if (sign === undefined || decimals > DECIMALS_MAX || digits.length > decimals) return undefined;
  return BigInt(`${sign}${whole}${digits.padEnd(decimals, "0")}`);
}

/** Value of a symbol according to one amount: between `least` and `most` dollars for `units`. */
interface Price {
  readonly path: string;
  readonly units: bigint;
  readonly least: bigint;
  readonly most: bigint;
}

type Report = (path: string, isMet: boolean, expected: string, seen: unknown) => void;

/** Requires that all amounts of a symbol imply the same price, and that dollar tokens cost about one dollar. */
function verifyPrices(shown: readonly ShownAmount[], report: Report): void {
  const first = new Map<string, Price>();
  for (const { path, amount } of shown) {
    const price = priceOf({ path, amount });
    if (price === undefined) continue;
    const at = `${path}.amountUsd`;
    const symbol = String(amount.currency?.symbol);
    const dollar = { path: "1 US dollar", units: 1n, least: 1n, most: 1n };
    const isDollar = DOLLARS.includes(symbol);
    const before = isDollar ? dollar : first.get(symbol);
    if (before === undefined) {
      first.set(symbol, price);
      continue;
    }
    const factor = isDollar ? DOLLAR_FACTOR : PRICE_FACTOR;
    const isMet =
      price.least * before.units <= factor * before.most * price.units &&
      before.least * price.units <= factor * price.most * before.units;
    report(at, isMet, `the price of ${before.path}`, amount.amountUsd);
  }
}

/** Returns undefined for an amount without a USD value. */
function priceOf({ path, amount: { currency, amount, amountUsd } }: ShownAmount): Price | undefined {
  const { symbol, decimals } = currency ?? {};
  const units = isPresent(amount) ? unitsOf(amount, 0) : undefined;
  if (!isPresent(symbol) || !isPresent(decimals) || !isPresent(amountUsd) || decimals > DECIMALS_MAX) return undefined;
  const usdE18 = tryParseUsd(amountUsd);
  if (units === undefined || usdE18 === undefined || units <= 0n || usdE18 < 0n) return undefined;
  const scale = 10n ** BigInt(decimals);
  const least = usdE18 > USD_ROUNDING_E18 ? usdE18 - USD_ROUNDING_E18 : 0n;
  return { path, units: units * 10n ** 18n, least: least * scale, most: (usdE18 + USD_ROUNDING_E18) * scale };
}

function tryParseUsd(text: string): bigint | undefined {
  try {
    return parseUsd(text, "the quote", "");
  } catch {
    return undefined;
  }
}
