import { type Hex, parseTransaction } from "viem";

import type { RequestType } from "@crosscall/protocol/common";
import type {
  DepositAddress,
  FailedCallData,
  ProtocolRecord,
  RequestRecord,
  RequestRecordData,
  Route,
  RouteSide,
} from "@crosscall/protocol/complete";
import { hashOrder } from "@crosscall/protocol/order";
import { PARTNER_ID_KEY } from "@crosscall/protocol/v2";
import { amountWorth, type PricedCurrency, usdValue } from "../../market/currencies.ts";
import { amountObject, rateOf } from "../../market/quote/buildDetails.ts";
import { swapSourceOf } from "../../market/quote/quoteRejections.ts";
import { depositoryOf, findQuotedChain } from "../../market/quotedChains.ts";
import { isUserExecuted } from "../../market/requestKind.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import type { ListedTransaction, TransactionRow } from "../../store/transactions.ts";
import type { ChainReader, Pricer } from "../../market/market.ts";
import {
  type FeeCurrency,
  feesOfRequest,
  type RequestFees,
  toAppFees,
  toFeeCurrency,
  toFees,
  toFeeSponsorship,
  toOraclePrice,
  toPlatformFee,
} from "./feeRecords.ts";
import { type RequestTransactions, selectTransactions, toEntries } from "./requestTransactions.ts";

export interface RecordReader {
  /** Whether the caller may see fields that only the request's integrator may see. */
  readonly isAuthenticated: boolean;
  /** Name of the key that requested the quote; null if the key has no name. */
  readonly apiKeyName?: string | null;
}

/** Builds the v3 record (spec 1, section 2). */
export function toRequestRecord(
  parts: Pricer & ChainReader,
  request: RequestRow,
  rows: readonly ListedTransaction[],
  { isAuthenticated, apiKeyName = null }: RecordReader,
): RequestRecord {
  const transactions = selectTransactions(request, rows);
  const fees = feesOfRequest(parts, request, transactions);
  const input = parts.currencies.require(request.origin_chain_id, request.origin_currency);
  const output = parts.currencies.require(request.destination_chain_id, request.destination_currency);
  const data = toData(parts, request, transactions, { fees, input: toFeeCurrency(input), output });
  return {
    id: request.id,
    status: request.status,
    user: request.user,
    sender: senderOf(request, transactions),
    recipient: request.recipient,
    refundTo: request.deposit_address === null ? null : request.refund_to,
    depositAddress: toDepositAddress(request, transactions),
    requestType: request.request_type as RequestType,
    supersededByRequestId: request.record_fields?.supersededByRequestId ?? null,
    features: request.features,
    data: isAuthenticated
      ? {
          ...data,
          platformFee: toPlatformFee(request, fees, input, output),
          referrer: request.referrer,
          apiKeyName,
        }
      : data,
    // Same-chain executions by the user have no order.
    protocol: isUserExecuted(request) ? null : toProtocol(parts, request, transactions),
    createdAt: request.created_at.toISOString(),
    updatedAt: request.updated_at.toISOString(),
  };
}

/** Returns the payer of a deposit address, or the depositor of any other request. */
function senderOf({ user }: RequestRow, { payment, deposit }: RequestTransactions): string {
  const sender = payment === undefined ? deposit?.sender : payment.sender;
  return sender === undefined || sender === "" ? user : sender;
}

export function toDepositAddress(
  request: RequestRow,
  { payment }: Pick<RequestTransactions, "payment">,
): DepositAddress | null {
  if (request.deposit_address === null || request.deposit_address_type === null) return null;
  return {
    address: request.deposit_address,
    type: request.deposit_address_type,
    // The payer of an internal transfer is unknown.
    depositor: payment === undefined || payment.sender === "" ? null : payment.sender,
    depositTxHash: payment === undefined || payment.hash === "" ? null : payment.hash,
    recoveryAddress: request.recovery_address ?? null,
  };
}

function toData(
  parts: Pricer,
  request: RequestRow,
  transactions: RequestTransactions,
  { fees, input, output }: { readonly fees: RequestFees; readonly input: FeeCurrency; readonly output: PricedCurrency },
): RequestRecordData {
  const { deposits, fill, refunds, excess, recovery } = transactions;
  const failed = fill?.status === "failure" ? fill : undefined;
  const { route } = request.details;
  return {
    slippageTolerance: request.slippage_tolerance_bps.toString(),
    failReason: request.fail_reason,
    refundFailReason: request.refund_fail_reason,
    failedTxHash: failed?.hash ?? null,
    failedTxBlockNumber: failed?.block_number ?? request.failed_block,
    failedCallData: failed === undefined ? request.failed_call_data : callDataOf(failed),
    // True if requested, or if a swap uses pools, which are external liquidity too.
    usesExternalLiquidity:
      request.terms.usesExternalLiquidity === true ||
      [route.origin, route.destination].some((side) => swapSourcesOf(side).length > 0),
    timeEstimate: request.details.timeEstimate,
    triggeredByFastFill:
      request.record_fields?.triggeredByFastFill ?? (request.features.includes("fast_fill") ? true : null),
    inTxs: deposits.flatMap((row) => toEntries(parts, row)),
    outTxs: [fill, ...refunds, excess, recovery].flatMap((row) => toEntries(parts, row)),
    appFees: toAppFees(request, fees.actual !== undefined, input),
    fees: toFees(fees, input),
    feeSponsorship: toFeeSponsorship(fees, request, input),
    route: toRoute(parts, request, transactions, input, output),
    platformFee: null,
    quoteOraclePrice: toOraclePrice(request, input, output),
    refundCurrencyData: toRefundAmount(parts, transactions, input),
    externalMetadata: { [PARTNER_ID_KEY]: request.record_fields?.partnerId ?? null },
  };
}

/** Returns the refunded amount. Several refunds are added up in the request's currency. */
function toRefundAmount(
  { currencies }: Pricer,
  { refunds, excess }: RequestTransactions,
  input: PricedCurrency,
): NonNullable<RequestRecordData["refundCurrencyData"]> | null {
  const [first, ...others] = refunds;
  const only = first ?? excess;
  if (only === undefined) return null;
  if (others.length === 0) {
    return amountObject(BigInt(only.amount), currencies.require(only.chain_id, only.currency), 0n);
  }
  return amountObject(sumWorth({ currencies }, refunds, input), input, 0n);
}

/** Returns the value of transactions as an amount of the currency. */
function sumWorth({ currencies }: Pricer, rows: readonly ListedTransaction[], input: PricedCurrency): bigint {
  const usd = rows.reduce(
    (sum, { amount, chain_id, currency }) => sum + usdValue(BigInt(amount), currencies.require(chain_id, currency)),
    0n,
  );
  return amountWorth(usd, input);
}

function toRoute(
  parts: Pricer,
  request: RequestRow,
  { deposits, fill }: RequestTransactions,
  input: PricedCurrency,
  output: PricedCurrency,
): Route {
  const { route: quoted, currencyGasTopup } = request.details;
  const [first, ...others] = deposits;
  // The rate of a fill is only known for all deposits.
  const isPaid = first !== undefined && deposits.length === request.input_count;
  const paid = others.length === 0 ? BigInt(first?.amount ?? 0) : sumWorth(parts, deposits, input);
  const { deposit } = request.terms;
  // The input of a swap before the deposit is known as quoted only.
  const deposited = isPaid ? (deposit === undefined ? paid : BigInt(request.input_amount)) : undefined;
  const received = fill?.status === "success" ? BigInt(fill.amount) : undefined;
  const swapSources = swapSourcesOf(quoted.destination);
  return {
    includedSwapSources: [...new Set([...swapSourcesOf(quoted.origin), ...swapSources])],
    includedOriginSwapSources: swapSourcesOf(quoted.origin),
    includedDestinationSwapSources: swapSources,
    quoted,
    actual: {
      rate:
        deposited === undefined || received === undefined
          ? request.details.rate
          : rateOf(deposited, input, received, output),
      origin: {
        ...quoted.origin,
        ...(deposited === undefined ? {} : { inputCurrency: amountObject(deposited, input) }),
        ...(deposited === undefined || deposit === undefined
          ? {}
          : {
              outputCurrency: amountObject(paid, parts.currencies.require(request.origin_chain_id, deposit.currency)),
            }),
        ...(received === undefined || quoted.destination != null
          ? {}
          : { outputCurrency: amountObject(received, output) }),
      },
      destination:
        quoted.destination == null
          ? null
          : {
              ...quoted.destination,
              ...(received === undefined ? {} : { outputCurrency: amountObject(received, output) }),
              ...(currencyGasTopup === undefined ? {} : { currencyGasTopup }),
            },
    },
  };
}

function swapSourcesOf(side: RouteSide | null | undefined): string[] {
  const source = swapSourceOf(side);
  return source === undefined ? [] : [source];
}

/** Returns whether the depository keeps a deposit of a failed request. */
function isWithdrawable({ status }: RequestRow, { deposits, refunds, recovery }: RequestTransactions): boolean {
  if (status !== "failure" || recovery?.status === "success") return false;
  return deposits.some(
    (deposit) =>
      deposit.status === "success" &&
      !refunds.some((refund) => refund.input_index === deposit.input_index && refund.status === "success"),
  );
}

function toProtocol(
  { chains, currencies }: ChainReader & Pricer,
  request: RequestRow,
  transactions: RequestTransactions,
): ProtocolRecord {
  const { deposit, fill, refunds: refundRows, excess } = transactions;
  const settled = (row: TransactionRow | undefined): { chainId: number; transactionId: string }[] =>
    row?.status === "success" ? [{ chainId: row.chain_id, transactionId: row.hash }] : [];
  const chain = deposit === undefined ? undefined : findQuotedChain(chains, deposit.chain_id);
  return {
    orderId: request.order_id,
    hubType: "onchain",
    isWithdrawable: isWithdrawable(request, transactions),
    solver: {
      address: request.order_data.solver,
      protocolChainId: request.order_data.solverChainId,
      chainId: request.origin_chain_id,
    },
    ...(deposit === undefined || chain === undefined
      ? {}
      : {
          deposit: {
            origin: {
              amount: deposit.amount,
              chainId: deposit.chain_id,
              currency: currencies.find(deposit.chain_id, deposit.currency)?.currency.address ?? deposit.currency,
              depositor: deposit.sender,
              depository: depositoryOf(chain),
              onchainId: depositedIdOf(request),
              transactionId: deposit.hash,
            },
          },
        }),
    settlement: { destination: { fills: settled(fill), refunds: [...refundRows, excess].flatMap(settled) } },
  };
}

/**
 * Returns the id of the deposited order. A request that returns a second deposit of an order uses its parent's order.
 */
function depositedIdOf({ order_id, order_data, parent_request_id }: RequestRow): string {
  return parent_request_id === null ? order_id : hashOrder(order_data);
}

function callDataOf(row: TransactionRow): FailedCallData | null {
  if (row.signed === null) return null;
  const { to, data, value } = parseTransaction(row.signed as Hex);
  return { from: row.sender, to: to ?? "", data: data ?? "0x", value: (value ?? 0n).toString() };
}
