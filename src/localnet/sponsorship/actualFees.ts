import { type FeesUsd, mapFees } from "../../protocol/feeComponents.ts";
import { executionFee } from "../../protocol/feeRules.ts";
import type { RequestRow, TransactionRow } from "../../store/schema.ts";
import type { ServiceContext } from "../context.ts";
import { usdValue } from "../currencies.ts";

/** What of a fill tells its cost: whether it worked, and the gas paid in wei. */
export interface IncludedFill {
  readonly status: TransactionRow["status"];
  readonly fee: bigint | string | null;
}

/**
 * The fees of a request as its fill really came to them (spec 2, section 9.2): the fill's gas as paid, all else as quoted.
 *
 * @returns undefined where there is no fill that worked
 */
export function actualFees(
  context: Pick<ServiceContext, "currencies">,
  request: Pick<RequestRow, "fees" | "destination_chain_id">,
  fill: IncludedFill | undefined,
): FeesUsd | undefined {
  if (fill?.status !== "success" || fill.fee === null) return undefined;
  const native = context.currencies.nativeOf(request.destination_chain_id);
  const { totalUsdE18 } = executionFee({
    destinationGasUsdE18: usdValue(BigInt(fill.fee), native),
    gaslessOriginGasUsdE18: BigInt(request.fees.originGas ?? 0),
  });
  return { ...mapFees(request.fees, BigInt), execution: totalUsdE18 };
}
