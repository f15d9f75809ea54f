import { concat, type Hex, keccak256, numberToHex } from "viem";

import type { Quote } from "@crosscall/sdk/internal/protocol/complete";
import type { Order } from "@crosscall/sdk/internal/protocol/order/order";
import { encodeFillContract } from "@crosscall/sdk/internal/protocol/order/orderCalls";
import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import { formatUsd } from "../../market/currencies.ts";
import { amountObject } from "../../market/quote/buildDetails.ts";
import { insertRequest, transition } from "../../store/requests.ts";
import type { Database } from "../../store/store.ts";
import type { DepositRow } from "../../store/tables/depositTables.ts";
import type { RequestRow } from "../../store/tables/requestTables.ts";
import { refundRecipient } from "../refund.ts";
import type { SolverParts } from "../solverParts.ts";

export interface ReturnParameters {
  readonly deposit: DepositRow;
  /** The request whose order the deposit names. */
  readonly parent: RequestRow | undefined;
  readonly reason: FailReason;
}

/**
 * Creates a request that returns a deposit: to the parent's refund address, or to the depositor. Its id follows from
 * the deposit, so a deposit is returned once.
 *
 * @returns the id
 */
export async function insertReturnRequest(
  parts: Pick<SolverParts, "chains" | "clock" | "currencies" | "solver">,
  db: Database,
  { deposit, parent, reason }: ReturnParameters,
): Promise<string> {
  const id = keccak256(
    concat([deposit.order_id as Hex, deposit.tx_hash as Hex, numberToHex(deposit.position, { size: 32 })]),
  );
  const now = new Date(parts.clock.now());
  const input = parts.currencies.require(deposit.chain_id, deposit.currency);
  const amount = BigInt(deposit.amount);
  const currencyIn = amountObject(amount, input, amount);
  const receiver = parent === undefined ? deposit.depositor : refundRecipient(parent, deposit.depositor);
  const { address, symbol } = input.currency;
  await insertRequest(
    db,
    {
      id,
      // The orderId belongs to the first request of the order; the return of an unknown order takes it.
      order_id: parent === undefined ? deposit.order_id : keccak256(id),
      status: "waiting",
      user: deposit.depositor,
      recipient: receiver,
      refund_to: receiver,
      request_type: "Send",
      origin_chain_id: deposit.chain_id,
      destination_chain_id: deposit.chain_id,
      origin_currency: address,
      destination_currency: address,
      origin_symbol: symbol,
      destination_symbol: symbol,
      amount_usd: currencyIn.amountUsd,
      app_fees_usd: formatUsd(0n),
      features: [],
      referrer: parent?.referrer ?? null,
      api_key_hash: parent?.api_key_hash ?? null,
      deposit_address: null,
      deposit_address_type: null,
      parent_request_id: parent?.id ?? null,
      deposit_block: deposit.block_number,
      fill_time_seconds: null,
      fail_reason: null,
      fail_details: null,
      failed_block: null,
      refund_fail_reason: null,
      failed_call_data: null,
      created_at: now,
      updated_at: now,
    },
    {
      trade_type: "EXACT_INPUT",
      input_amount: amount,
      minimum_output_amount: 0n,
      expected_output_amount: 0n,
      slippage_tolerance_bps: 0,
      order_data: JSON.stringify(parent?.order_data ?? orderOf(parts, deposit, receiver)),
      details: JSON.stringify(detailsOf(deposit, receiver, currencyIn)),
      fees: JSON.stringify({ swap: "0", execution: "0", platform: "0", app: "0" }),
      app_fees: JSON.stringify([]),
    },
  );
  await transition(db, { requestId: id, from: ["waiting"], to: "pending", at: now, set: { fail_reason: reason } });
  return id;
}

/** A placeholder order: nothing is paid out. */
function orderOf(parts: Pick<SolverParts, "chains" | "solver">, deposit: DepositRow, receiver: string): Order {
  const chain = parts.chains.get(deposit.chain_id);
  const chainId = chain?.protocolChainId ?? String(deposit.chain_id);
  const extraData = chain === undefined ? "0x" : encodeFillContract(chain.contracts.router);
  const { currency, amount } = deposit;
  return {
    version: "v1",
    solverChainId: chainId,
    solver: parts.solver.address,
    salt: deposit.order_id,
    inputs: [
      {
        payment: { chainId, currency, amount, weight: "1" },
        refunds: [{ chainId, recipient: receiver, currency, minimumAmount: "0", deadline: 0, extraData }],
      },
    ],
    output: { chainId, payments: [], calls: [], deadline: 0, extraData },
    fees: [],
  };
}

function detailsOf(
  deposit: DepositRow,
  receiver: string,
  currencyIn: ReturnType<typeof amountObject>,
): Quote["details"] {
  const zero = { usd: formatUsd(0n), percent: "0.00" };
  const usd = { usd: formatUsd(0n) };
  const slippage = { ...usd, value: "0", percent: "0.00" };
  const side = { inputCurrency: currencyIn, outputCurrency: currencyIn, router: "" };
  return {
    operation: "bridge",
    sender: deposit.depositor,
    recipient: receiver,
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
