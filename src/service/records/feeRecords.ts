import { bpsOf, formatAmount } from "@crosscall/sdk/internal/core/amounts";
import type {
  ActualAppFee,
  ActualFeePhase,
  ActualSponsorshipPhase,
  AppFees,
  Fees,
  FeeSponsorship,
  GroupAmount,
  SponsorshipPhase,
} from "@crosscall/sdk/internal/protocol/complete";
import { type FeesUsd, mapFees } from "@crosscall/sdk/internal/protocol/fees/feeComponents";
import type { SponsoredFees } from "@crosscall/sdk/internal/protocol/quote/sponsorFees";
import { FEE_COMPONENTS } from "@crosscall/sdk/internal/protocol/schema/values";
import { actualFees, sponsoredFees } from "../../market/actualFees.ts";
import { amountWorth, formatUsd, type PricedCurrency, usdValue } from "../../market/currencies.ts";
import type { RequestRow } from "../../store/tables/requestTables.ts";
import type { ServiceParts } from "../serviceParts.ts";
import type { RequestTransactions } from "./requestTransactions.ts";

/** In US dollars times 10^18. */
export interface PhaseFees {
  /** Passed-through amounts count as execution here. */
  readonly fees: FeesUsd;
  readonly sponsored: SponsoredFees;
}

export interface RequestFees {
  readonly quoted: PhaseFees;
  /** Undefined until the fill. */
  readonly actual: PhaseFees | undefined;
}

export function feesOfRequest(
  parts: Pick<ServiceParts, "currencies">,
  request: RequestRow,
  { fill }: RequestTransactions,
): RequestFees {
  const passThrough = BigInt(request.fees.passThrough ?? 0);
  const toPhase = (fees: FeesUsd): PhaseFees => ({
    fees: { ...fees, execution: fees.execution + passThrough },
    sponsored: addPassThrough(sponsoredFees(request, fees), passThrough),
  });
  const actual = actualFees(parts, request, fill);
  return {
    quoted: toPhase(mapFees(request.fees, BigInt)),
    actual: actual === undefined ? undefined : toPhase(actual),
  };
}

/** Sponsors do not pay passed-through amounts: the user pays them with the execution. */
function addPassThrough(sponsored: SponsoredFees, usdE18: bigint): SponsoredFees {
  const { execution } = sponsored.components;
  return {
    ...sponsored,
    components: {
      ...sponsored.components,
      execution: {
        ...execution,
        totalUsdE18: execution.totalUsdE18 + usdE18,
        userPaysUsdE18: execution.userPaysUsdE18 + usdE18,
      },
    },
    userPaysTotalUsdE18: sponsored.userPaysTotalUsdE18 + usdE18,
  };
}

type FeeAmount = Pick<GroupAmount, "amount" | "amountFormatted" | "amountUsd">;

/** US dollars times 10^18. */
export interface FeeCurrency extends PricedCurrency {
  readonly worth: (usdE18: bigint) => FeeAmount;
}

/** Caches conversions: a record repeats the same few amounts. */
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

/** `data.fees` (spec 1, section 2.4). */
export function toFees({ quoted, actual }: RequestFees, input: FeeCurrency): Fees {
  return {
    quoted: toFeePhase(quoted, input),
    actual: actual === undefined ? null : toFeePhase(actual, input),
    currency: input.currency,
  };
}

/** `data.feeSponsorship` (spec 1, section 2.4), in the input currency. */
export function toFeeSponsorship(
  { quoted, actual }: RequestFees,
  request: Pick<RequestRow, "fees">,
  input: FeeCurrency,
): FeeSponsorship {
  const cap = request.fees.sponsorship?.maxSubsidizationAmount ?? null;
  const toActual = (phase: PhaseFees): ActualSponsorshipPhase => {
    const sponsorship = toSponsorshipPhase(phase, cap, input);
    const { amount } = sponsorship.sponsoredTotal;
    const { address, chainId } = input.currency;
    return phase.sponsored.sponsoredTotalUsdE18 === 0n
      ? sponsorship
      : { ...sponsorship, sponsorPayment: { amount, address, chainId } };
  };
  return {
    quoted: toSponsorshipPhase(quoted, cap, input),
    actual: actual === undefined ? null : toActual(actual),
    currency: input.currency,
  };
}

/** `data.appFees` (spec 1, section 2.2), which the solver keeps from the fill. */
export function toAppFees(request: RequestRow, isFilled: boolean, input: PricedCurrency): AppFees {
  const inputAmount = BigInt(request.input_amount);
  const quoted = request.app_fees.map(({ recipient, bps }): ActualAppFee => {
    const amount = bpsOf(inputAmount, BigInt(bps));
    return { recipient, bps, ...groupAmount(amount, usdValue(amount, input), input) };
  });
  return {
    quoted,
    actual: isFilled ? quoted : [],
    ...(quoted.length === 0 ? {} : { currency: input.currency }),
  };
}

/** A cost is negative in US dollars and positive in the currency; a sponsored amount is a gain. */
function toFeePhase({ fees, sponsored }: PhaseFees, { worth }: FeeCurrency): ActualFeePhase {
  const toFee = (usdE18: bigint) => {
    const { amount, amountFormatted } = worth(usdE18);
    return { usd: formatUsd(-usdE18), amount, amountFormatted };
  };
  const { amount, amountFormatted, amountUsd } = worth(sponsored.sponsoredTotalUsdE18);
  return { ...mapFees(fees, toFee), sponsored: { usd: amountUsd, amount, amountFormatted } };
}

function toSponsorshipPhase({ sponsored }: PhaseFees, cap: string | null, { worth }: FeeCurrency): SponsorshipPhase {
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
      // Rent exists on SVM chains, which this network does not run.
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
