import { doc } from "#doc";
import type * as Type from "typebox";

import type { ReadResponse } from "../schema/readResponse.ts";
import { decimalText } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

const amount = decimalText(doc("In the smallest unit."));

/** One currency of `GET /chains/liquidity`. */
export const LiquidityEntrySchema = T.Object({
  chainId: T.Integer(),
  currencyId: T.String(),
  symbol: T.String(),
  address: T.String(),
  decimals: T.Integer(),
  balance: amount,
  amountUsd: decimalText(),
}) satisfies Type.TObject;

/** Solver's balance of a currency, as the service sends it. */
export type LiquidityEntry = ReadResponse<typeof LiquidityEntrySchema>;

/** The response of `GET /config/v2`. */
export const BridgeConfigSchema = T.Object({
  enabled: T.Boolean({ description: doc("Whether the solver has the currency and the route is not restricted.") }),
  user: T.Object({ balance: amount, maxBridgeAmount: amount }),
  solver: T.Object({ address: T.String(), balance: amount, capacityPerRequest: amount }),
  supportsExternalLiquidity: T.Boolean(),
  fee: decimalText(doc("Fee to bridge one whole unit, in the smallest unit of the currency on the origin chain.")),
});

/** Maximum amount to bridge at once, as the service sends it. */
export type BridgeConfig = ReadResponse<typeof BridgeConfigSchema>;
