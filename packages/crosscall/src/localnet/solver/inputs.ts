import { isSameAddress } from "@crosscall/protocol/chains";
import { amountWorth, usdValue } from "../market/currencies.ts";
import type { RequestRow } from "../store/requests/requests.ts";
import type { TransactionRow } from "../store/transactions.ts";
import type { ChainReader, Pricer } from "./solverParts.ts";

type InputRequest = Pick<RequestRow, "input_count" | "order_data">;

/** Returns whether a request has several inputs, each with its own deposit and refund. */
export function hasSeveralInputs({ input_count }: Pick<RequestRow, "input_count">): boolean {
  return input_count > 1;
}

/**
 * Returns the index of the order's input that a deposit pays. A request with one input takes a deposit of any chain and
 * currency, and refunds a wrong one.
 *
 * @returns undefined if no input has the deposit's chain and currency
 */
export function inputIndexOf(
  { chains }: ChainReader,
  request: InputRequest,
  { chain_id, currency }: Pick<TransactionRow, "chain_id" | "currency">,
): number | undefined {
  if (!hasSeveralInputs(request)) return 0;
  const name = chains.get(chain_id)?.protocolChainId;
  const index = request.order_data.inputs.findIndex(
    ({ payment }) => payment.chainId === name && isSameAddress(payment.currency, currency),
  );
  return index === -1 ? undefined : index;
}

/**
 * Returns the deposits of several inputs as one deposit of the request's input. It is too small if any deposit is too
 * small. Amounts above the order's are added at their value.
 *
 * @param deposits successful deposits of all inputs
 */
export function sumDeposits(
  { currencies }: Pricer,
  request: Pick<RequestRow, "input_amount" | "origin_chain_id" | "origin_currency"> & InputRequest,
  deposits: readonly TransactionRow[],
): TransactionRow | undefined {
  const last = deposits.toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime())[0];
  if (last === undefined || !hasSeveralInputs(request)) return last;
  const quoted = BigInt(request.input_amount);
  let [extraUsd, missingUsd] = [0n, 0n];
  for (const { input_index, chain_id, currency, amount } of deposits) {
    const difference = BigInt(amount) - BigInt(request.order_data.inputs[input_index]?.payment.amount ?? 0);
    const worth = usdValue(difference < 0n ? -difference : difference, currencies.require(chain_id, currency));
    if (difference < 0n) missingUsd += worth > 0n ? worth : 1n;
    else extraUsd += worth;
  }
  const input = currencies.require(request.origin_chain_id, request.origin_currency);
  const missing = amountWorth(missingUsd, input);
  const tooLow = quoted - (missing > 0n ? missing : 1n);
  const amount = missingUsd > 0n ? (tooLow > 0n ? tooLow : 0n) : quoted + amountWorth(extraUsd, input);
  return {
    ...last,
    chain_id: request.origin_chain_id,
    currency: request.origin_currency,
    amount: amount.toString(),
  };
}
