import { BPS_PER_WHOLE, bpsOf, formatAmount } from "@crosscall/protocol/encoding";
import type {
  ActualAppFee,
  ActualFeePhase,
  ActualSponsorshipPhase,
  AppFees,
  Fees,
  FeeSponsorship,
  GroupAmount,
  SponsorshipPhase,
} from "@crosscall/protocol/complete";
import { type FeesUsd, mapFees, parseUsd, platformFee } from "@crosscall/protocol/fees";
import type { SponsoredFees } from "@crosscall/protocol/quote/rules";
import { FEE_COMPONENTS } from "@crosscall/protocol/schema";
import { actualFees, sponsoredFees } from "../../market/actualFees.ts";
import { amountWorth, formatUsd, type PricedCurrency, roundUsd, usdValue } from "../../market/currencies.ts";
import { USD_ONE } from "../../devchain/chainToken.ts";
import { amountObject, rateOf } from "../../market/quote/buildDetails.ts";
import { integratorFee } from "../../market/revenueShareOf.ts";
import { addUserCost, roundFees } from "../../market/roundFees.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import type { Pricer } from "../../market/market.ts";
import type { RequestTransactions } from "./requestTransactions.ts";

/** Fees as written, in US dollars, scaled by 10^18. Includes passed-through amounts in the execution fee. */
export interface RequestFees {
  readonly quoted: SponsoredFees;
  /** Actual fees; undefined until the fill. */
  readonly actual: SponsoredFees | undefined;
}

export function feesOfRequest(parts: Pricer, request: RequestRow, { fill }: RequestTransactions): RequestFees {
  const passThrough = BigInt(request.fees.passThrough ?? 0);
  // At a fixed rate, the user gains or loses the difference from the market rate. In a swap before the deposit, the
  // user bears the swap's loss.
  const rateCost = BigInt(request.fees.originSwap ?? 0) - BigInt(request.fees.fixedRate ?? 0);
  const toPhase = (fees: FeesUsd): SponsoredFees =>
    addUserCost(addUserCost(sponsoredFees(request, fees), "execution", passThrough), "swap", rateCost);
  const actual = actualFees(parts, request, fill);
  const { currencyIn, currencyOut } = request.details;
  const usdOf = (amountUsd: string): bigint => parseUsd(amountUsd, "the stored quote", "details");
  return {
    quoted: roundFees(
      toPhase(mapFees(request.fees, BigInt)),
      usdOf(currencyIn.amountUsd) - usdOf(currencyOut.amountUsd),
    ),
    actual: actual === undefined ? undefined : roundFees(toPhase(actual)),
  };
}

type FeeAmount = Pick<GroupAmount, "amount" | "amountFormatted" | "amountUsd">;

/** A currency that converts US dollar amounts, scaled by 10^18, to amounts of the currency. */
export interface FeeCurrency extends PricedCurrency {
  readonly worth: (usdE18: bigint) => FeeAmount;
}

/** Returns a currency that caches conversions, because a record repeats the same few amounts. */
export function toFeeCurrency(input: PricedCurrency): FeeCurrency {
  const known = new Map<bigint, FeeAmount>();
  return {
    ...input,
    worth(usdE18) {
      const before = known.get(usdE18);
      if (before !== undefined) return before;
      const amount = groupAmount(amountWorth(usdE18, input), usdE18, input);
      known.set(usdE18, amount);
      return amount;
    },
  };
}

/** Builds `data.fees` (spec 1, section 2.4). */
export function toFees({ quoted, actual }: RequestFees, input: FeeCurrency): Fees {
  return {
    quoted: toFeePhase(quoted, input),
    actual: actual === undefined ? null : toFeePhase(actual, input),
    currency: input.currency,
  };
}

/** Builds `data.feeSponsorship` (spec 1, section 2.4), in the input currency. */
export function toFeeSponsorship(
  { quoted, actual }: RequestFees,
  request: Pick<RequestRow, "fees">,
  input: FeeCurrency,
): FeeSponsorship {
  const cap = request.fees.sponsorship?.maxSubsidizationAmount ?? null;
  const toPhase = (phase: SponsoredFees): SponsorshipPhase => {
    const { sponsoredTotal, ...sponsorship } = toSponsorshipPhase(phase, cap, input);
    return { ...sponsorship, sponsoredTotal: { ...sponsoredTotal, amountUsdCurrent: sponsoredTotal.amountUsd } };
  };
  const toActual = (phase: SponsoredFees): ActualSponsorshipPhase => {
    const sponsorship = toPhase(phase);
    const { amount } = sponsorship.sponsoredTotal;
    const { address, chainId } = input.currency;
    return phase.sponsoredTotalUsdE18 === 0n
      ? sponsorship
      : { ...sponsorship, sponsorPayment: { amount, address, chainId } };
  };
  return {
    quoted: toPhase(quoted),
    actual: actual === undefined ? null : toActual(actual),
    currency: input.currency,
  };
}

/** Builds `data.appFees` (spec 1, section 2.2), which the solver keeps from the fill. */
export function toAppFees(request: RequestRow, isFilled: boolean, input: PricedCurrency): AppFees {
  const inputAmount = BigInt(request.input_amount);
  const quoted = request.app_fees.map(({ recipient, bps }): ActualAppFee => {
    const amount = bpsOf(inputAmount, BigInt(bps));
    return { recipient, bps, ...groupAmount(amount, usdValue(amount, input), input) };
  });
  return {
    quoted,
    actual: isFilled ? quoted : [],
    currency: input.currency,
  };
}

/**
 * Builds the fees of a phase. A cost is negative in US dollars and positive in the currency; a sponsored amount is a
 * gain.
 */
export function toFeePhase(phase: SponsoredFees, { worth }: FeeCurrency): ActualFeePhase {
  const toFee = (usdE18: bigint) => {
    const { amount, amountFormatted } = worth(usdE18);
    return { usd: formatUsd(-usdE18), amount, amountFormatted };
  };
  const { amount, amountFormatted, amountUsd } = worth(phase.sponsoredTotalUsdE18);
  return {
    ...mapFees(phase.components, (fee) => toFee(fee.totalUsdE18)),
    sponsored: { usd: amountUsd, amount, amountFormatted },
  };
}

export function toSponsorshipPhase(
  sponsored: SponsoredFees,
  cap: string | null,
  { worth }: FeeCurrency,
): SponsorshipPhase {
  return {
    selectedComponents: FEE_COMPONENTS.filter((component) => sponsored.components[component].isSelected),
    maxSubsidizationAmount: cap,
    capHit: sponsored.isCapHit,
    components: {
      ...mapFees(sponsored.components, (fee) => ({
        selected: fee.isSelected,
        total: worth(fee.totalUsdE18),
        sponsored: worth(fee.sponsoredUsdE18),
        userPays: worth(fee.userPaysUsdE18),
      })),
      // Rent is part of the execution fee.
      rent: { selected: false, total: worth(0n), sponsored: worth(0n), userPays: worth(0n) },
    },
    sponsoredTotal: worth(sponsored.sponsoredTotalUsdE18),
    userPaysTotal: worth(sponsored.userPaysTotalUsdE18),
  };
}

function groupAmount(amount: bigint, usdE18: bigint, { currency }: PricedCurrency): FeeAmount {
  return {
    amount: amount.toString(),
    amountFormatted: formatAmount(amount, currency.decimals),
    amountUsd: formatUsd(usdE18),
  };
}

/**
 * Builds `data.platformFee`, the split of the fee, for the request's integrator. The live service does not document the
 * names of its buckets and rules. Here, both are the type of the transaction.
 */
export function toPlatformFee(
  { fees }: Pick<RequestRow, "fees">,
  { quoted, actual }: RequestFees,
  input: PricedCurrency,
  output: PricedCurrency,
) {
  const { type, bps } = platformFee(input.currency, output.currency);
  const total = (actual ?? quoted).components.platform.totalUsdE18;
  const integrator = roundUsd(integratorFee(fees));
  const integratorFeeBps = (Number(bps) * Number(fees.revenueShare?.shareBps ?? 0)) / Number(BPS_PER_WHOLE);
  const toAmount = (usdE18: bigint) => {
    const amount = amountWorth(usdE18, input);
    return {
      currency: input.currency,
      amount: amount.toString(),
      amountFormatted: formatAmount(amount, input.currency.decimals),
      amountUsd: formatUsd(usdE18),
      minimumAmount: amount.toString(),
    };
  };
  return {
    bucket: type,
    ruleId: `local-${type}`,
    relayFeeBps: Number(bps) - integratorFeeBps,
    integratorFeeBps,
    totalFeeBps: Number(bps),
    relayFee: toAmount(total - integrator),
    integratorFee: toAmount(integrator),
    totalPlatformFee: toAmount(total),
    integratorFeeRecipient: fees.revenueShare?.wallet ?? null,
  };
}

/** Builds `data.quoteOraclePrice` (spec 1, section 2.2): the input at the prices of this network, before fees. */
export function toOraclePrice(
  { record_fields, input_amount, created_at }: RequestRow,
  input: PricedCurrency,
  output: PricedCurrency,
) {
  if (record_fields?.usesOraclePrice !== true) return null;
  const amount = BigInt(input_amount);
  const unit = amountWorth(USD_ONE, input);
  return {
    rate: rateOf(unit, input, amountWorth(usdValue(unit, input), output), output),
    observedAt: created_at.toISOString(),
    inputCurrency: amountObject(amount, input, amount),
    outputCurrency: amountObject(amountWorth(usdValue(amount, input), output), output),
  };
}
