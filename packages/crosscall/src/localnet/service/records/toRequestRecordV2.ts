import type {
  ActualFeePhase,
  Amount,
  Currency,
  FeePhase,
  RequestRecord,
  RequestRecordV2,
  SponsorshipPhase,
  TransactionEntry,
} from "@crosscall/protocol/complete";
import { type FeesUsd, mapFees } from "@crosscall/protocol/fees";
import { EXECUTION_FLAT_USD_E18 } from "@crosscall/protocol/quote/rules";
import { ADDED_REFUND_FAIL_REASONS, NO_REASON } from "@crosscall/protocol/schema";
import { amountWorth, currencyIdOf, formatUsd, type PricedCurrency } from "../../market/currencies.ts";
import type { LostDeposit } from "../../store/deposits.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import type { ListedTransaction } from "../../store/transactions.ts";
import type { ChainReader, Pricer } from "../../market/market.ts";
import { toReorgedEntry } from "./requestTransactions.ts";
import { toStatusV2 } from "./status.ts";
import { type RecordReader, toRequestRecord } from "./toRequestRecord.ts";

/** Builds the v2 record (spec 1, section 2.7): the v3 data in v2 fields. */
export function toRequestRecordV2(
  parts: Pricer & ChainReader,
  request: RequestRow,
  rows: readonly ListedTransaction[],
  reader: RecordReader & { readonly lostDeposits?: readonly LostDeposit[] } = { isAuthenticated: false },
) {
  const record = toRequestRecord(parts, request, rows, reader);
  return {
    id: record.id,
    status: toStatusV2(request.status),
    user: record.user,
    recipient: record.recipient,
    depositAddress: toDepositAddress(record.depositAddress),
    referrer: record.data.referrer ?? null,
    moonpayId: request.record_fields?.partnerId ?? null,
    data: toData(parts, request, record, reader.lostDeposits ?? []),
    protocol: record.protocol,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  } satisfies RequestRecordV2;
}

function toDepositAddress(address: RequestRecord["depositAddress"]) {
  if (address === null) return null;
  const { type: depositAddressType, recoveryAddress: _, ...fields } = address;
  return { ...fields, depositAddressType };
}

function toData(parts: Pricer, request: RequestRow, record: RequestRecord, lostDeposits: readonly LostDeposit[]) {
  const { data } = record;
  const input = parts.currencies.require(request.origin_chain_id, request.origin_currency);
  const native = parts.currencies.nativeOf(request.origin_chain_id);
  const { currency } = input;
  return {
    slippageTolerance: data.slippageTolerance,
    failReason: data.failReason ?? NO_REASON,
    refundFailReason: toRefundFailReason(data.refundFailReason),
    supersededByRequestId: record.supersededByRequestId,
    failedTxHash: data.failedTxHash ?? null,
    failedTxBlockNumber: data.failedTxBlockNumber ?? null,
    failedCallData: data.failedCallData ?? null,
    ...toWeiFees(mapFees(request.fees, BigInt), native),
    feeCurrency: currencyIdOf(native.currency),
    feeCurrencyObject: native.currency,
    currency: currencyIdOf(currency),
    currencyObject: currency,
    appFeeCurrencyObject: data.appFees.currency ?? null,
    appFees: data.appFees.quoted,
    paidAppFees: data.appFees.actual,
    // The quoted output, in the currency that the user receives.
    price: request.details.currencyOut.amount,
    expandedPriceImpact: {
      quoted: data.fees === null ? null : toImpact(data.fees.quoted),
      actual: data.fees?.actual == null ? null : toImpact(data.fees.actual),
    },
    ...toSponsorship(data.feeSponsorship),
    ...toSubsidy(data.feeSponsorship, currency),
    refundCurrencyData: data.refundCurrencyData ?? null,
    usesExternalLiquidity: data.usesExternalLiquidity,
    timeEstimate: data.timeEstimate,
    triggeredByFastFill: data.triggeredByFastFill ?? null,
    platformFee: data.platformFee,
    inTxs: [...lostDeposits.map((deposit) => toReorgedEntry(deposit, request)), ...data.inTxs.map(toEntry)],
    outTxs: data.outTxs.map(toEntry),
    metadata: { ...toMetadata(record), quoteOraclePrice: toOraclePrice(data.quoteOraclePrice) },
  };
}

/** Converts a reason to v2, which does not have the reasons that the live service added later. */
function toRefundFailReason(reason: RequestRecord["data"]["refundFailReason"]): string {
  return reason === null || Object.hasOwn(ADDED_REFUND_FAIL_REASONS, reason) ? NO_REASON : reason;
}

/**
 * Returns the quoted fees in the categories of v2: execution gas, the fixed part, the part by chain and amount, and
 * gateway fees, which are zero on this network.
 */
function toWeiFees({ execution, platform, swap }: FeesUsd, native: PricedCurrency) {
  // A same-chain transfer has no execution fee.
  const fixed = execution < EXECUTION_FLAT_USD_E18 ? execution : EXECUTION_FLAT_USD_E18;
  const usd = {
    gas: execution - fixed,
    fixed,
    price: platform + swap,
    gateway: 0n,
  };
  const map = (write: (usdE18: bigint) => string) => ({
    gas: write(usd.gas),
    fixed: write(usd.fixed),
    price: write(usd.price),
    gateway: write(usd.gateway),
  });
  return { fees: map((usdE18) => amountWorth(usdE18, native).toString()), feesUsd: map(formatUsd) };
}

function toImpact({ swap, execution, platform, app, sponsored }: FeePhase | ActualFeePhase) {
  const usdOf = (fee: { usd?: string } | undefined) => ({ usd: fee?.usd ?? formatUsd(0n) });
  return {
    swap: usdOf(swap),
    execution: usdOf(execution),
    relay: usdOf(platform),
    app: usdOf(app),
    sponsored: usdOf(sponsored),
  };
}

function toSponsorship(sponsorship: RequestRecord["data"]["feeSponsorship"]) {
  if (sponsorship === null) return {};
  const { quoted, actual, currency } = sponsorship;
  const toComponent = ({ selected, total, sponsored, userPays }: SponsorshipPhase["components"]["app"]) => ({
    selected,
    total: { ...total, currency },
    sponsored: { ...sponsored, currency },
    userPays: { ...userPays, currency },
  });
  const toPhase = ({ components, ...phase }: SponsorshipPhase) => ({
    ...phase,
    selectedComponents: phase.selectedComponents.map((name) => (name === "platform" ? "relay" : name)),
    components: {
      execution: toComponent(components.execution),
      swap: toComponent(components.swap),
      relay: toComponent(components.platform),
      app: toComponent(components.app),
      ...(components.rent === undefined ? {} : { rent: toComponent(components.rent) }),
    },
    sponsoredTotal: { ...phase.sponsoredTotal, currency },
    userPaysTotal: { ...phase.userPaysTotal, currency },
  });
  return { feeSponsorship: { quoted: toPhase(quoted), actual: actual == null ? null : toPhase(actual) } };
}

/** Returns the subsidy in the input currency, in which the sponsor also pays on this network. */
function toSubsidy(sponsorship: RequestRecord["data"]["feeSponsorship"], { address, chainId }: Currency) {
  const phase = sponsorship?.actual ?? sponsorship?.quoted;
  const { amount, amountUsd } = phase?.sponsoredTotal ?? { amount: "0", amountUsd: formatUsd(0n) };
  return {
    subsidizedRequest: amount !== "0",
    subsidizedFee: {
      origin: { amount, address, chainId },
      sponsor: { amount, address, chainId },
      amountUsd,
      amountUsdCurrent: amountUsd,
    },
  };
}

function toEntry({ txHash: hash, feeUsd: _, ...entry }: TransactionEntry) {
  return { hash, ...entry };
}

function toMetadata({ sender, recipient, data: { route } }: RequestRecord) {
  if (route === null) return { sender, recipient };
  const { actual, quoted } = route;
  const received = actual.destination ?? actual.origin;
  return {
    sender,
    recipient,
    currencyIn: actual.origin.inputCurrency,
    currencyOut: received.outputCurrency,
    rate: actual.rate,
    route: {
      origin: { ...quoted.origin, includedSwapSources: route.includedOriginSwapSources },
      destination:
        quoted.destination == null
          ? null
          : { ...quoted.destination, includedSwapSources: route.includedDestinationSwapSources },
    },
    currencyGasTopup: actual.destination?.currencyGasTopup ?? null,
  };
}

function toOraclePrice(price: RequestRecord["data"]["quoteOraclePrice"]) {
  if (price == null) return null;
  const toCurrency = ({ currency }: Amount) => {
    const { chainId, address, decimals } = currency;
    return { chainId, address, currencyId: currencyIdOf(currency), decimals };
  };
  return {
    rate: price.rate,
    inputAmount: price.inputCurrency.amount,
    outputAmount: price.outputCurrency.amount,
    observedAt: price.observedAt,
    from: toCurrency(price.inputCurrency),
    to: toCurrency(price.outputCurrency),
  };
}
