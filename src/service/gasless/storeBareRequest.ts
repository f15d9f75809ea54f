import { type Hex, keccak256, zeroAddress } from "viem";

import type { QuoteDetails } from "@crosscall/sdk/internal/protocol/complete";
import type { Order } from "@crosscall/sdk/internal/protocol/order/order";
import type { DevChain } from "../../devchain/devChain.ts";
import { formatUsd } from "../../market/currencies.ts";
import { amountObject } from "../../market/quote/buildDetails.ts";
import { insertRequest } from "../../store/requests.ts";
import type { Database } from "../../store/store.ts";
import type { StoredCall } from "../../store/tables/gaslessTables.ts";
import type { ServiceParts } from "../serviceParts.ts";

export interface BareRequest {
  readonly requestId: Hex;
  readonly chain: DevChain;
  readonly call: StoredCall;
  readonly apiKeyHash: string;
  readonly referrer: string | undefined;
}

/** Creates the request of a call without a quote: it moves nothing that the service knows of, and ends with the call. */
export async function storeBareRequest(
  { clock, currencies, solver }: Pick<ServiceParts, "clock" | "currencies" | "solver">,
  db: Database,
  { requestId, chain, call, apiKeyHash, referrer }: BareRequest,
): Promise<void> {
  const now = new Date(clock.now());
  const native = currencies.nativeOf(chain.id);
  const nothing = amountObject(0n, native, 0n);
  const none = { usd: formatUsd(0n), percent: "0.00" };
  const usd = { usd: formatUsd(0n) };
  const slippage = { ...usd, value: "0", percent: "0.00" };
  const details: QuoteDetails = {
    operation: "send",
    sender: call.to,
    recipient: call.to,
    currencyIn: nothing,
    currencyOut: nothing,
    refundCurrency: nothing,
    totalImpact: none,
    swapImpact: none,
    expandedPriceImpact: { swap: usd, execution: usd, relay: usd, app: usd },
    rate: "0",
    slippageTolerance: { origin: slippage, destination: slippage },
    timeEstimate: 0,
    userBalance: "0",
    isFixedRate: false,
    route: { origin: { inputCurrency: nothing, outputCurrency: nothing, router: "" } },
  };
  const chainId = chain.protocolChainId;
  const order: Order = {
    version: "v1",
    solverChainId: chainId,
    solver: solver.address,
    salt: requestId,
    inputs: [],
    output: { chainId, payments: [], calls: [], deadline: 0, extraData: "0x" },
    fees: [],
  };
  const { symbol } = native.currency;
  await insertRequest(
    db,
    {
      id: requestId,
      // No deposit names it.
      order_id: keccak256(requestId),
      status: "waiting",
      user: call.to,
      recipient: call.to,
      refund_to: call.to,
      request_type: "Call",
      origin_chain_id: chain.id,
      destination_chain_id: chain.id,
      origin_currency: zeroAddress,
      destination_currency: zeroAddress,
      origin_symbol: symbol,
      destination_symbol: symbol,
      amount_usd: formatUsd(0n),
      app_fees_usd: formatUsd(0n),
      features: [],
      referrer: referrer ?? null,
      api_key_hash: apiKeyHash,
      deposit_address: null,
      deposit_address_type: null,
      parent_request_id: null,
      fail_reason: null,
      refund_fail_reason: null,
      created_at: now,
      updated_at: now,
    },
    {
      trade_type: "EXACT_INPUT",
      input_amount: 0n,
      minimum_output_amount: 0n,
      expected_output_amount: 0n,
      slippage_tolerance_bps: 0,
      order_data: JSON.stringify(order),
      details: JSON.stringify(details),
      fees: JSON.stringify({ swap: "0", execution: "0", platform: "0", app: "0" }),
      app_fees: JSON.stringify([]),
    },
  );
}
