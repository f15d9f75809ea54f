import { bpsOf, formatAmount } from "../../../core/amounts.ts";
import type { GroupAmount } from "../../../protocol/currency.ts";
import { type FeesUsd, mapFees, sumFees } from "../../../protocol/feeComponents.ts";
import { executionFee } from "../../../protocol/feeRules.ts";
import type {
  ActualAppFee,
  ActualFeePhase,
  AppFees,
  Fees,
  FeeSponsorship,
  SponsorshipPhase,
} from "../../../protocol/fees.ts";
import type { RequestRow } from "../../../store/schema.ts";
import type { ServiceContext } from "../../context.ts";
import { amountWorth, formatUsd, type PricedCurrency, usdValue } from "../../currencies.ts";
import type { RequestTransactions } from "./requestTransactions.ts";

/** The fees of a request, in US dollars times 10^18. */
export interface RequestFees {
  readonly quoted: FeesUsd;
  /** Undefined until the fill. */
  readonly actual: FeesUsd | undefined;
}

/** The quoted fees, and those that the fill really came to. */
export function feesOfRequest(
  context: ServiceContext,
  request: RequestRow,
  { fill }: RequestTransactions,
): RequestFees {
  const quoted = mapFees(request.fees, BigInt);
  if (fill?.status !== "success" || fill.fee === null) return { quoted, actual: undefined };
  const native = context.currencies.nativeOf(request.destination_chain_id);
  const { totalUsdE18 } = executionFee({ destinationGasUsdE18: usdValue(BigInt(fill.fee), native) });
  return { quoted, actual: { ...quoted, execution: totalUsdE18 } };
}

/** `data.fees` (spec 1, section 2.4). */
export function toFees({ quoted, actual }: RequestFees, input: PricedCurrency): Fees {
  return {
    quoted: toFeePhase(quoted, input),
    actual: actual === undefined ? null : toFeePhase(actual, input),
    currency: input.currency,
  };
}

/** `data.feeSponsorship` (spec 1, section 2.4): no key of this network sponsors, so the user pays each component. */
export function toFeeSponsorship({ quoted, actual }: RequestFees, input: PricedCurrency): FeeSponsorship {
  return {
    quoted: toSponsorshipPhase(quoted, input),
    actual: actual === undefined ? null : toSponsorshipPhase(actual, input),
    currency: input.currency,
  };
}

/** `data.appFees` (spec 1, section 2.2): the solver keeps them back from the fill, so they are paid with it. */
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

function toFeePhase(fees: FeesUsd, input: PricedCurrency): ActualFeePhase {
  const toFee = (usdE18: bigint) => {
    const { amount, amountFormatted, amountUsd: usd } = worth(usdE18, input);
    return { usd, amount, amountFormatted };
  };
  return { ...mapFees(fees, toFee), sponsored: toFee(0n) };
}

function toSponsorshipPhase(fees: FeesUsd, input: PricedCurrency): SponsorshipPhase {
  const nothing = worth(0n, input);
  const components = mapFees(fees, (usdE18) => {
    const total = worth(usdE18, input);
    return { selected: false, total, sponsored: nothing, userPays: total };
  });
  return {
    selectedComponents: [],
    maxSubsidizationAmount: null,
    capHit: false,
    components,
    sponsoredTotal: nothing,
    userPaysTotal: worth(sumFees(fees), input),
  };
}

function worth(usdE18: bigint, input: PricedCurrency): GroupAmount {
  return groupAmount(amountWorth(usdE18, input), usdE18, input);
}

function groupAmount(
  amount: bigint,
  usdE18: bigint,
  { currency }: PricedCurrency,
): Pick<GroupAmount, "amount" | "amountFormatted" | "amountUsd"> {
  return {
    amount: amount.toString(),
    amountFormatted: formatAmount(amount, currency.decimals),
    amountUsd: formatUsd(usdE18),
  };
}
