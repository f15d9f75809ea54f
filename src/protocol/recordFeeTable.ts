import { chainFamilyOf } from "../chains/families/chainFamilyOf.ts";
import { MalformedDataError } from "../core/errors.ts";
import type { Amount, Currency } from "./currency.ts";
import { mapFees } from "./feeComponents.ts";
import type { FeePhase, SponsorshipPhase } from "./fees.ts";
import { type ArrivingAmount, buildFeeTable, type FeeTable, type StatedTotal } from "./feeTable.ts";
import type { RequestRecord } from "./requestRecord.ts";
import { parseUsd } from "./usd.ts";

const WHAT = "the request record";

/** When fees were told: estimated at quote time, or computed at fill time. */
export type FeePhaseName = "quoted" | "actual";

/**
 * The fees of a v3 record as one table that adds up, from `data.fees` (spec 2, section 9.2). A quoted component without
 * `usd` is priced as the record's route prices its currency, rounded down. Totals of `data.feeSponsorship` that say
 * otherwise are in `mismatches`.
 *
 * @returns undefined where the record has no fees of that phase: an unfilled request has no actual ones
 * @throws {@link MalformedDataError} when a number is none, or a component without `usd` has no price
 */
export function recordFeeTable({ data }: Pick<RequestRecord, "data">, phase: FeePhaseName): FeeTable | undefined {
  const fees = data.fees?.[phase];
  if (data.fees == null || fees == null) return undefined;
  const { currency } = data.fees;
  const at = `data.fees.${phase}`;
  const usdOf = (fee: FeePhase["swap"] | undefined, name: string): bigint => {
    if (fee === undefined) return 0n;
    if (fee.usd !== undefined) return parseUsd(fee.usd, WHAT, `${at}.${name}.usd`);
    return priceAmount(readInteger(fee.amount, `${at}.${name}.amount`), currency, data, `${at}.${name}.usd`);
  };
  const sponsored = usdOf(fees.sponsored, "sponsored");
  return buildFeeTable({
    fees: mapFees(fees, usdOf),
    // It is a component of the record already, where it was due.
    activationUsdE18: 0n,
    sponsorPaysUsdE18: sponsored < 0n ? -sponsored : sponsored,
    originGasUsdE18: undefined,
    arrivesAtLeast: arrival(data, phase),
    stated: statedTotals(data.feeSponsorship?.[phase], `data.feeSponsorship.${phase}`),
  });
}

function statedTotals(sponsorship: SponsorshipPhase | null | undefined, at: string): StatedTotal[] {
  if (sponsorship == null) return [];
  const { sponsoredTotal, userPaysTotal } = sponsorship;
  return [
    {
      field: `${at}.sponsoredTotal.amountUsd`,
      statedUsdE18: parseUsd(sponsoredTotal.amountUsd, WHAT, `${at}.sponsoredTotal.amountUsd`),
      of: ({ sponsorPaysUsdE18 }) => sponsorPaysUsdE18,
    },
    {
      field: `${at}.userPaysTotal.amountUsd`,
      statedUsdE18: parseUsd(userPaysTotal.amountUsd, WHAT, `${at}.userPaysTotal.amountUsd`),
      of: ({ userPaysUsdE18 }) => userPaysUsdE18,
    },
  ];
}

/** What arrives on the last side of the route: at least, as quoted; or what did, as it was filled. */
function arrival({ route, outTxs }: RequestRecord["data"], phase: FeePhaseName): ArrivingAmount | undefined {
  if (route === null) return undefined;
  const { origin, destination } = route[phase];
  const { currency, amount, minimumAmount } = (destination ?? origin).outputCurrency;
  // The actual route says what was quoted as long as nothing was filled.
  const text =
    phase === "quoted" ? minimumAmount : outTxs.some(({ status }) => status === "success") ? amount : undefined;
  return text === undefined ? undefined : { currency, amount: readInteger(text, `data.route.${phase}`) };
}

function priceAmount(amount: bigint, currency: Currency, { route }: RequestRecord["data"], path: string): bigint {
  if (amount === 0n) return 0n;
  const priced = route === null ? undefined : findPriced(currency, [route.quoted, route.actual]);
  if (priced === undefined) throw new MalformedDataError({ what: WHAT, path, reason: "it is missing" });
  return (amount * parseUsd(priced.amountUsd, WHAT, "data.route")) / BigInt(priced.amount);
}

type Sides = Pick<NonNullable<RequestRecord["data"]["route"]>["quoted"], "origin" | "destination">;

/** An amount of the currency that the record states in US dollars too. */
function findPriced({ chainId, address }: Currency, routes: readonly Sides[]): Amount | undefined {
  const { isSame } = chainFamilyOf(chainId);
  return routes
    .flatMap(({ origin, destination }) => [origin, ...(destination == null ? [] : [destination])])
    .flatMap(({ inputCurrency, outputCurrency }) => [inputCurrency, outputCurrency])
    .find(
      (one) => one.currency.chainId === chainId && isSame(one.currency.address, address) && BigInt(one.amount) > 0n,
    );
}

function readInteger(text: string, path: string): bigint {
  if (/^-?\d+$/u.test(text)) return BigInt(text);
  throw new MalformedDataError({ what: WHAT, path, reason: "it is not an amount in the smallest unit" });
}
