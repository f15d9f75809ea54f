import type { Insertable } from "kysely";

import type { NewOrder, NewRequest } from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import type { TransactionTable } from "../../../packages/crosscall/src/localnet/store/transactions.ts";

const AT = new Date(1_800_000_000_000);

/** Returns a request row with this id, in the state after a quote. */
export function newRequest(id: string, change: Partial<NewRequest> = {}): NewRequest {
  return {
    id,
    order_id: `order of ${id}`,
    status: "waiting",
    user: "0xuser",
    recipient: "0xrecipient",
    refund_to: null,
    request_type: "Bridge",
    origin_chain_id: 31_337,
    destination_chain_id: 31_338,
    origin_currency: "0xorigin",
    destination_currency: "0xdestination",
    referrer: null,
    fail_reason: null,
    refund_fail_reason: null,
    origin_symbol: "ETH",
    destination_symbol: "ETH",
    amount_usd: "0",
    app_fees_usd: "0",
    features: [],
    created_at: AT,
    updated_at: AT,
    ...change,
  };
}

/** Returns the order of a request, as a quote stores it. */
export function newOrder(change: Partial<NewOrder> = {}): NewOrder {
  return {
    trade_type: "EXACT_INPUT",
    input_amount: 1n,
    minimum_output_amount: 1n,
    expected_output_amount: 1n,
    slippage_tolerance_bps: 0,
    order_data: "{}",
    details: "{}",
    fees: "{}",
    app_fees: "[]",
    ...change,
  };
}

/** Returns a transaction row of a request. */
export function newTransaction(
  requestId: string,
  change: Pick<Insertable<TransactionTable>, "purpose" | "nonce">,
): Insertable<TransactionTable> {
  return {
    request_id: requestId,
    chain_id: 31_338,
    hash: `0x${requestId}`,
    sender: "0xsolver",
    signed: "0x",
    status: "pending",
    amount: 1n,
    currency: "0xdestination",
    created_at: AT,
    ...change,
  };
}
