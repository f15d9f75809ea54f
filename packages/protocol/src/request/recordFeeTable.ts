import { isSameAddressOf } from "../chains/families/chainFamilyOf.ts";
import { MalformedDataError } from "../core/errors.ts";
import type { Amount } from "../common/currency.ts";
import { mapFees } from "../fees/feeComponents.ts";
import type { FeePhase, SponsorshipPhase } from "../fees/quotedFees.ts";
import { type ArrivingAmount, buildFeeTable, type FeeTable, type StatedTotal } from "../fees/feeTable.ts";
import type { RequestRecord } from "./requestRecord.ts";
import { isPresent, requireField } from "../schema/readResponse.ts";
import { parseUsd } from "../fees/usd.ts";

const RECORD = "the request record";

/** Phase of the fees: estimated in the quote, or computed at the fill. */
export type FeePhaseName = "quoted" | "actual";

/**
 * Returns the fees of a v3 record as a table that adds up, from `data.fees` (spec 2, section 9.2). For a quoted
 * component without `usd`, the value is computed from the price of its currency in the record's route, and rounded
 * down. Totals in `data.feeSponsorship` that differ are in `mismatches`.
 *
 * @returns undefined if the record has no fees of that phase, such as actual fees of an unfilled request
 * @throws {@link MalformedDataError} when a number is invalid, or a component without `usd` has no price
 */
export function recordFeeTable({ data }: Pick<RequestRecord, "data">, phase: FeePhaseName): FeeTable | undefined {
  const fees = data?.fees?.[phase];
  if (fees == null) return undefined;
  const at = `data.fees.${phase}`;
  const usdOf = (fee: Fee, name: string): bigint => {
    if (fee == null) return 0n;
    // Impacts are negative for costs, and amounts have the sign of the cost.
    if (isPresent(fee.usd)) return -parseUsd(fee.usd, RECORD, `${at}.${name}.usd`);
    return priceAmount(readInteger(fee.amount, `${at}.${name}.amount`), data, `${at}.${name}.usd`);
  };
  const sponsored = usdOf(fees.sponsored, "sponsored");
  const components = { swap: fees.swap, execution: fees.execution, platform: fees.platform, app: fees.app };
  return buildFeeTable({
    fees: mapFees(components, usdOf),
    // Already included in the record's components.
    activationUsdE18: 0n,
    sponsorPaysUsdE18: sponsored < 0n ? -sponsored : sponsored,
    originGasUsdE18: undefined,
    arrivesAtLeast: arrival(data, phase),
    stated: statedTotals(data?.feeSponsorship?.[phase], `data.feeSponsorship.${phase}`),
  });
}

type Fee = FeePhase["swap"];
type Data = RequestRecord["data"];

function statedTotals(sponsorship: SponsorshipPhase | null | undefined, at: string): StatedTotal[] {
  const totals: readonly [string, string | null | undefined, StatedTotal["of"]][] = [
    ["sponsoredTotal", sponsorship?.sponsoredTotal?.amountUsd, ({ sponsorPaysUsdE18 }) => sponsorPaysUsdE18],
    ["userPaysTotal", sponsorship?.userPaysTotal?.amountUsd, ({ userPaysUsdE18 }) => userPaysUsdE18],
  ];
  return totals.flatMap(([name, amountUsd, of]) => {
    const field = `${at}.${name}.amountUsd`;
    return isPresent(amountUsd) ? [{ field, statedUsdE18: parseUsd(amountUsd, RECORD, field), of }] : [];
  });
}

/** Returns the quote's minimum output or the fill's actual output. */
function arrival(data: Data, phase: FeePhaseName): ArrivingAmount | undefined {
  const sides = data?.route?.[phase];
  const output = (sides?.destination ?? sides?.origin)?.outputCurrency;
  // Before the fill, the actual route is the quoted route.
  const isFilled = data?.outTxs?.some(({ status }) => status === "success") === true;
  const text = phase === "quoted" ? output?.minimumAmount : isFilled ? output?.amount : undefined;
  return isPresent(text)
    ? { currency: output?.currency ?? {}, amount: readInteger(text, `data.route.${phase}`) }
    : undefined;
}

function priceAmount(amount: bigint, data: Data, path: string): bigint {
  if (amount === 0n) return 0n;
  const priced = findPriced(data);
  const usd = requireField(priced?.amountUsd, RECORD, path);
  return (amount * parseUsd(usd, RECORD, "data.route")) / readInteger(priced?.amount, "data.route");
}

/** Finds an amount in the fees' currency that has a value in US dollars. */
function findPriced(data: Data): Amount | undefined {
  const { chainId, address } = data?.fees?.currency ?? {};
  if (!isPresent(chainId) || !isPresent(address)) return undefined;
  return [data?.route?.quoted, data?.route?.actual]
    .flatMap((sides) => [sides?.origin, sides?.destination])
    .flatMap((side) => [side?.inputCurrency, side?.outputCurrency])
    .filter(isPresent)
    .find(({ currency, amount, amountUsd }) => {
      const isOfFees =
        currency?.chainId === chainId &&
        isPresent(currency.address) &&
        isSameAddressOf(chainId, currency.address, address);
      return isOfFees && isPresent(amountUsd) && isPresent(amount) && /^[1-9]\d*$/u.test(amount);
    });
}

function readInteger(text: string | null | undefined, path: string): bigint {
  const present = requireField(text, RECORD, path);
  if (/^-?\d+$/u.test(present)) return BigInt(present);
  throw new MalformedDataError({ what: RECORD, path, reason: "it is not an amount in the smallest unit" });
}
