import { type FeesUsd, mapFees } from "@crosscall/protocol/fees";
import { executionFee, type SponsoredFees, sponsorFees } from "@crosscall/protocol/quote/rules";
import type { RequestRow } from "../store/requests/requests.ts";
import type { TransactionRow } from "../store/transactions.ts";
import { usdValue } from "./currencies.ts";
import type { Pricer } from "./market.ts";
import { isUserExecuted } from "./requestKind.ts";

/** An included fill, with its gas fee in wei. */
export interface IncludedFill {
  readonly status: TransactionRow["status"];
  readonly fee: bigint | string | null;
  /** Smallest unit. */
  readonly amount: bigint | string;
}

type FeeRequest = Pick<
  RequestRow,
  | "fees"
  | "origin_chain_id"
  | "origin_currency"
  | "destination_chain_id"
  | "destination_currency"
  | "deposit_address"
  | "input_amount"
  | "expected_output_amount"
  | "request_type"
>;

/**
 * Returns the fees with the gas as paid and everything else as quoted (spec 2, section 9.2).
 *
 * @returns undefined without a successful fill
 */
export function actualFees(market: Pricer, request: FeeRequest, fill: IncludedFill | undefined): FeesUsd | undefined {
  if (fill?.status !== "success" || fill.fee === null) return undefined;
  const quoted = mapFees(request.fees, BigInt);
  if (isUserExecuted(request)) return { ...quoted, swap: actualSwap(market, request, quoted, fill) };
  const native = market.currencies.nativeOf(request.destination_chain_id);
  const { totalUsdE18 } = executionFee({
    destinationGasUsdE18:
      usdValue(BigInt(fill.fee), native) + BigInt(request.fees.gasTopup ?? 0) + BigInt(request.fees.rent ?? 0),
    gaslessOriginGasUsdE18: BigInt(request.fees.originGas ?? 0),
  });
  return { ...quoted, execution: totalUsdE18 };
}

/** Returns the swap fee: the input less the output and the fees that the input pays. A sponsor pays all other fees. */
function actualSwap(
  { currencies }: Pricer,
  request: FeeRequest,
  { execution, platform, app }: FeesUsd,
  fill: IncludedFill,
): bigint {
  const input = currencies.require(request.origin_chain_id, request.origin_currency);
  const output = currencies.require(request.destination_chain_id, request.destination_currency);
  const taken = request.fees.sponsorship === undefined ? execution + platform + app : 0n;
  return usdValue(BigInt(request.input_amount), input) - taken - usdValue(BigInt(fill.amount), output);
}

export function sponsoredFees(request: Pick<RequestRow, "fees">, fees: FeesUsd): SponsoredFees {
  return sponsorFees(fees, request.fees.sponsorship ?? {});
}
