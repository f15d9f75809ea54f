export { MessageSchema } from "../schema/schemaParts.ts";
export { AccessTokenSchema, type UsageMetric, UsageMetricSchema } from "./serviceResponses.ts";
export { type Call, CallSchema, parseCallData, sumCallValues } from "./call.ts";
export { type ChainEntry, ChainEntrySchema, ChainListSchema } from "./chainEntry.ts";
export { type Amount, AmountSchema, type Currency } from "./currency.ts";
export { type CurrencyEntry, CurrencyEntrySchema } from "./currency.ts";
export {
  type Feature,
  type RequestType,
  type SortDirection,
  SortDirectionSchema,
  type SortField,
  SortFieldSchema,
} from "./requestType.ts";
export type { DepositAddressType } from "./depositAddressType.ts";
export { formatCurrencyAmount } from "./formatCurrencyAmount.ts";
export { isNativeCurrency } from "./isNativeCurrency.ts";
export { type BridgeConfig, BridgeConfigSchema, type LiquidityEntry, LiquidityEntrySchema } from "./liquidity.ts";
export type { TradeType } from "./quoteValues.ts";
