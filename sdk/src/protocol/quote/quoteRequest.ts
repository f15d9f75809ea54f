import * as Type from "typebox";

import { QuotedCallSchema } from "../common/call.ts";
import { FeeComponentV2Schema } from "../common/requestType.ts";
import { amountText } from "../schema/schemaParts.ts";
import { TradeTypeSchema } from "../common/tradeType.ts";

/**
 * Schema of the body of `POST /price`: the fields of a quote request without those that change only the steps or the
 * order.
 */
export const PriceRequestSchema = Type.Object(
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
    txs: Type.Optional(Type.Array(QuotedCallSchema, { description: "Calls on the destination chain, in order." })),
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
    refundOnOrigin: Type.Optional(Type.Boolean({ deprecated: true, description: "Refund on the origin chain." })),
    useExternalLiquidity: Type.Optional(Type.Boolean({ description: "Trade speed for more liquidity." })),
    useFallbacks: Type.Optional(Type.Boolean({ description: "Allow fallback routes." })),
    usePermit: Type.Optional(Type.Boolean({ description: "Pay by a signed permit; the service pays the gas." })),
    useDepositAddress: Type.Optional(Type.Boolean({ description: "Pay by a plain transfer to an address." })),
  },
  { description: "What to price." },
);

/** The body of `POST /price`. */
export type PriceRequest = Type.Static<typeof PriceRequestSchema>;

/**
 * Schema of the body of `POST /quote/v2` (spec 2, section 4). Checks the shape only; `findQuoteProblem` checks the
 * content of strings. Unknown fields pass.
 */
export const QuoteRequestSchema = Type.Object(
  {
    ...PriceRequestSchema.properties,
    txsGasLimit: Type.Optional(Type.Integer({ minimum: 1, description: "Total gas limit of txs." })),
    authorizationList: Type.Optional(
      Type.Array(
        Type.Object({
          chainId: Type.Integer({ minimum: 0 }),
          address: Type.String({ description: "Contract that the account delegates to." }),
          nonce: Type.Integer({ minimum: 0 }),
          yParity: Type.Integer({ minimum: 0, maximum: 1 }),
          r: Type.String(),
          s: Type.String(),
        }),
        { description: "EIP-7702 authorizations; the fill is a transaction of type 4." },
      ),
    ),
    additionalData: Type.Optional(
      Type.Object(
        { userPublicKey: Type.Optional(Type.String({ description: "Of a payer with a Bitcoin P2SH address." })) },
        { description: "What some chains need in addition to the address." },
      ),
    ),
    referrerAddress: Type.Optional(Type.String({ description: "Address of the integration." })),
    recoveryAddress: Type.Optional(
      Type.String({ description: "Origin-chain address that can withdraw what can be neither filled nor refunded." }),
    ),
    topupGas: Type.Optional(Type.Boolean({ description: "Also deliver native currency for gas." })),
    topupGasAmount: Type.Optional(
      Type.String({ description: "Worth of the gas, in USD micro-units; 2000000 by default." }),
    ),
    enableTrueExactOutput: Type.Optional(
      Type.Boolean({ description: "The surplus of an exact-output swap goes to the solver, not to the recipient." }),
    ),
    explicitDeposit: Type.Optional(
      Type.Boolean({ description: "Deposit by a contract call, the default; false for a plain transfer." }),
    ),
    permitExpiry: Type.Optional(
      Type.Integer({ minimum: 1, description: "Lifetime of the permit in seconds; 600 by default." }),
    ),
    includeProtocolData: Type.Optional(Type.Boolean({ description: "Return the solver's signature over the order." })),
    latePaymentSlippageTolerance: Type.Optional(
      Type.String({ description: "Extra destination gas after the order's deadline, in basis points, 0 to 10000." }),
    ),
    gasLimitForDepositSpecifiedTxs: Type.Optional(
      Type.Integer({ minimum: 1, description: "Gas of calls that run inside the deposit transaction." }),
    ),
    forceSolverExecution: Type.Optional(
      Type.Boolean({ description: "The solver executes a same-chain swap, instead of the user." }),
    ),
    subsidizeRent: Type.Optional(Type.Boolean({ deprecated: true, description: "Sponsor rent on SVM chains." })),
    includedSwapSources: Type.Optional(
      Type.Array(Type.String(), { description: "Only these swap sources, on both chains." }),
    ),
    excludedSwapSources: Type.Optional(Type.Array(Type.String(), { description: "None of these swap sources." })),
    includedDestinationSwapSources: Type.Optional(
      Type.Array(Type.String(), { description: "Only these swap sources on the destination chain." }),
    ),
    originGasOverhead: Type.Optional(
      Type.Union([Type.Number({ minimum: 0 }), amountText("As some samples of the service write it.")], {
        description: "Gas added to a gasless origin transaction.",
      }),
    ),
    depositFeePayer: Type.Optional(Type.String({ description: "Pays fee and rent of an SVM deposit; not the user." })),
    useSharedAccounts: Type.Optional(Type.Boolean({ description: "Use shared accounts in an SVM swap." })),
    includeComputeUnitLimit: Type.Optional(
      Type.Boolean({ description: "Set the compute unit limit of an SVM deposit." }),
    ),
    overridePriceImpact: Type.Optional(Type.Boolean({ description: "Quote despite a high price impact." })),
    disableSwapProviderPreference: Type.Optional(Type.Boolean({ description: "Ignore the preferred swap provider." })),
    disableOriginSwaps: Type.Optional(Type.Boolean({ description: "No swap on the origin chain." })),
    fixedRate: Type.Optional(Type.String({ description: "Guaranteed rate as input:output, such as 1:1." })),
    ttl: Type.Optional(
      Type.Integer({ minimum: 1, description: "Seconds until the request is refunded if it is not filled." }),
    ),
    maxRouteLength: Type.Optional(Type.Integer({ minimum: 1, description: "Most hops of SVM swap routing." })),
    includedOriginSwapSources: Type.Optional(
      Type.Array(Type.String(), { description: "Only these swap sources on the origin chain." }),
    ),
    subsidizeFees: Type.Optional(Type.Boolean({ description: "Sponsor all fee components." })),
    maxSubsidizationAmount: Type.Optional(Type.String({ description: "Most that is sponsored, in USD micro-units." })),
    strict: Type.Optional(Type.Boolean({ description: "The deposit address serves this order only." })),
    sponsoredFeeComponents: Type.Optional(Type.Array(FeeComponentV2Schema, { description: "Sponsor these only." })),
  },
  { description: "What to price." },
);

/** The body of `POST /quote/v2`. */
export type QuoteRequest = Type.Static<typeof QuoteRequestSchema>;
