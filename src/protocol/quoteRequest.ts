import * as Type from "typebox";

import { CallSchema } from "./call.ts";
import { FeeComponentV2Schema } from "./requestType.ts";
import { TradeTypeSchema } from "./tradeType.ts";

/**
 * Schema of the body of `POST /quote/v2` (spec 2, section 4). Checks the shape only; `findQuoteProblem` checks what the
 * strings hold. Fields that it does not know pass.
 */
export const QuoteRequestSchema = Type.Object(
  {
    user: Type.String({ description: "Who deposits; an account index on the exchange chain." }),
    originChainId: Type.Integer({ minimum: 0 }),
    destinationChainId: Type.Integer({ minimum: 0 }),
    originCurrency: Type.String({ description: "Currency address on its chain; zero address for native EVM." }),
    destinationCurrency: Type.String({ description: "Currency address on its chain; zero address for native EVM." }),
    tradeType: TradeTypeSchema,
    amount: Type.String({ description: "Smallest unit of the origin (EXACT_INPUT) or destination currency." }),
    recipient: Type.Optional(Type.String({ description: "Who receives; the user by default." })),
    refundTo: Type.Optional(Type.String({ description: "Origin-chain address that refunds go to." })),
    referrer: Type.Optional(Type.String({ description: "Tag of the integration." })),
    txs: Type.Optional(Type.Array(CallSchema, { description: "Calls on the destination chain, in order." })),
    slippageTolerance: Type.Optional(Type.String({ description: "In basis points, 0 to 10000." })),
    appFees: Type.Optional(
      Type.Array(
        Type.Object({
          recipient: Type.String({ description: "Who receives the fee." }),
          fee: Type.String({ description: "In basis points." }),
        }),
        { description: "Fees of the integrator, at most 10000 bps together." },
      ),
    ),
    useExternalLiquidity: Type.Optional(Type.Boolean({ description: "Trade speed for more liquidity." })),
    maxRouteLength: Type.Optional(Type.Integer({ minimum: 1, description: "Most hops of SVM swap routing." })),
    includedOriginSwapSources: Type.Optional(Type.Array(Type.String(), { description: "Only these swap sources." })),
    subsidizeFees: Type.Optional(Type.Boolean({ description: "Sponsor all fee components." })),
    maxSubsidizationAmount: Type.Optional(Type.String({ description: "Most that is sponsored, in USD micro-units." })),
    useDepositAddress: Type.Optional(Type.Boolean({ description: "Pay by a plain transfer to an address." })),
    strict: Type.Optional(Type.Boolean({ description: "The deposit address serves this order only." })),
    sponsoredFeeComponents: Type.Optional(Type.Array(FeeComponentV2Schema, { description: "Sponsor these only." })),
  },
  { description: "What to price." },
);

/** The body of `POST /quote/v2`. */
export type QuoteRequest = Type.Static<typeof QuoteRequestSchema>;
