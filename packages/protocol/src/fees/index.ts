export {
  type AppFeeBalances,
  AppFeeBalancesSchema,
  type AppFeeClaim,
  AppFeeClaimSchema,
  ClaimStepsSchema,
} from "./appFeeBalance.ts";
export {
  type ByFeeComponent,
  type FeesUsd,
  fromQuoteFees,
  mapFees,
  sumFees,
  toFeeComponent,
  toQuoteFeeComponent,
  toQuoteFees,
} from "./feeComponents.ts";
export type { FeeTable } from "./feeTable.ts";
export { formatFeeTable } from "./formatFeeTable.ts";
export { MAJOR_STABLECOINS, platformFee, transactionTypeOf } from "./platformFee.ts";
export { revenueShare } from "./revenueShare.ts";
export { formatUsd, parseUsd } from "./usd.ts";
