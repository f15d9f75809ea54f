import type { QuoteDetails } from "@crosscall/protocol/complete";
import type { Order } from "@crosscall/protocol/order";
import { insertRequest, type NewRequest } from "../store/requests/requests.ts";
import type { Database } from "../store/schema.ts";
import { formatUsd, type PricedCurrency } from "./currencies.ts";
import type { Timed } from "./market.ts";
import { amountObject } from "./quote/buildDetails.ts";

export interface UnquotedRequest extends Pick<
  NewRequest,
  "id" | "order_id" | "user" | "recipient" | "request_type" | "referrer" | "api_key_hash" | "parent_request_id"
> {
  readonly operation: QuoteDetails["operation"];
  readonly input: PricedCurrency;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly depositBlock: number | null;
  readonly order: Order;
}

/** Stores a same-chain request that has no quote, no fees, and no output paid by a solver. */
export async function storeUnquoted(
  { clock }: Timed,
  db: Database,
  { operation, input, amount, depositBlock, order, ...request }: UnquotedRequest,
): Promise<void> {
  const now = new Date(clock.now());
  const { chainId, address, symbol } = input.currency;
  const currencyIn = amountObject(amount, input, amount);
  await insertRequest(
    db,
    {
      ...request,
      status: "waiting",
      refund_to: request.recipient,
      origin_chain_id: chainId,
      destination_chain_id: chainId,
      origin_currency: address,
      destination_currency: address,
      origin_symbol: symbol,
      destination_symbol: symbol,
      amount_usd: currencyIn.amountUsd,
      app_fees_usd: formatUsd(0n),
      features: [],
      deposit_address: null,
      deposit_address_type: null,
      deposit_block: depositBlock,
      fail_reason: null,
      refund_fail_reason: null,
      created_at: now,
      updated_at: now,
    },
    {
      trade_type: "EXACT_INPUT",
      input_amount: amount,
      minimum_output_amount: 0n,
      expected_output_amount: 0n,
      slippage_tolerance_bps: 0,
      order_data: JSON.stringify(order),
      details: JSON.stringify(detailsOf(request, operation, currencyIn)),
      fees: JSON.stringify({ swap: "0", execution: "0", platform: "0", app: "0" }),
      app_fees: JSON.stringify([]),
    },
  );
}

function detailsOf(
  { user, recipient }: Pick<NewRequest, "user" | "recipient">,
  operation: QuoteDetails["operation"],
  currencyIn: ReturnType<typeof amountObject>,
): QuoteDetails {
  const usd = { usd: formatUsd(0n) };
  const zero = { ...usd, percent: "0.00" };
  const slippage = { ...zero, value: "0" };
  const side = { inputCurrency: currencyIn, outputCurrency: currencyIn, router: "" };
  return {
    operation,
    sender: user,
    recipient,
    currencyIn,
    currencyOut: currencyIn,
    refundCurrency: currencyIn,
    totalImpact: zero,
    swapImpact: zero,
    expandedPriceImpact: { swap: usd, execution: usd, relay: usd, app: usd },
    rate: "1",
    slippageTolerance: { origin: slippage, destination: slippage },
    timeEstimate: 0,
    userBalance: "0",
    isFixedRate: false,
    route: { origin: side, destination: null },
  };
}
