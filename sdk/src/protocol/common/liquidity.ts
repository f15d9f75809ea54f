import * as Type from "typebox";

import type { ReadResponse } from "../schema/readResponse.ts";
import { decimalText } from "../schema/schemaParts.ts";

const amount = decimalText("In the smallest unit.");

/** One currency of `GET /chains/liquidity`. */
export const LiquidityEntrySchema = Type.Object({
  chainId: Type.Integer(),
  currencyId: Type.String(),
  symbol: Type.String(),
  address: Type.String(),
  decimals: Type.Integer(),
  balance: amount,
  amountUsd: decimalText(),
});

/** What the solver holds of a currency, as the service sends it. */
export type LiquidityEntry = ReadResponse<typeof LiquidityEntrySchema>;

/** The response of `GET /config/v2`. */
export const BridgeConfigSchema = Type.Object({
  enabled: Type.Boolean({ description: "Whether the solver holds the currency, and the route is not restricted." }),
  user: Type.Object({ balance: amount, maxBridgeAmount: amount }),
  solver: Type.Object({ address: Type.String(), balance: amount, capacityPerRequest: amount }),
  supportsExternalLiquidity: Type.Boolean(),
  fee: decimalText("Of bridging one whole unit, in the smallest unit of the currency on the origin chain."),
});

/** What can be bridged at once, as the service sends it. */
export type BridgeConfig = ReadResponse<typeof BridgeConfigSchema>;
