import { doc } from "#doc";
import type * as Type from "typebox";

import { QuotedCallSchema } from "../common/call.ts";
import { amountText } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";
import { FeeComponentV2Schema, TradeTypeSchema } from "../common/quoteValues.ts";

/**
 * Schema of the body of `POST /price`: the fields of a quote request, except the fields that change only the steps or
 * the order.
 */
export const PriceRequestSchema = T.Object(
  {
    user: T.String({ description: doc("Depositor; an account index on the exchange chain.") }),
    originChainId: T.Integer({ minimum: 0 }),
    destinationChainId: T.Integer({ minimum: 0 }),
    originCurrency: T.String({
      description: doc("Currency address on its chain; zero address for EVM native currency."),
    }),
    destinationCurrency: T.String({
      description: doc("Currency address on its chain; zero address for EVM native currency."),
    }),
    tradeType: TradeTypeSchema,
    amount: T.String({
      description: doc("Amount in the smallest unit of the origin (EXACT_INPUT) or destination currency."),
    }),
    recipient: T.Optional(T.String({ description: doc("Recipient. Defaults to the user.") })),
    refundTo: T.Optional(T.String({ description: doc("Origin-chain address that receives refunds.") })),
    referrer: T.Optional(T.String({ description: doc("Tag of the integration.") })),
    txs: T.Optional(T.Array(QuotedCallSchema, { description: doc("Calls on the destination chain, in order.") })),
    slippageTolerance: T.Optional(T.String({ description: doc("Slippage in basis points, 0 to 10000.") })),
    appFees: T.Optional(
      T.Array(
        T.Object({
          recipient: T.String({ description: doc("Recipient of the fee.") }),
          fee: T.String({ description: doc("In basis points.") }),
        }),
        { description: doc("Fees of the integrator, at most 10000 bps together.") },
      ),
    ),
    refundOnOrigin: T.Optional(T.Boolean({ deprecated: true, description: doc("Refund on the origin chain.") })),
    useExternalLiquidity: T.Optional(T.Boolean({ description: doc("Accept a slower fill for more liquidity.") })),
    useFallbacks: T.Optional(T.Boolean({ description: doc("Allow fallback routes.") })),
    usePermit: T.Optional(T.Boolean({ description: doc("Pay with a signed permit; the service pays the gas.") })),
    useDepositAddress: T.Optional(T.Boolean({ description: doc("Pay with a plain transfer to an address.") })),
  },
  { description: doc("The request to price.") },
);

/** The body of `POST /price`. */
export type PriceRequest = Type.Static<typeof PriceRequestSchema>;

/**
 * Schema of the body of `POST /quote/v2` (spec 2, section 4). Checks only the shape; `findQuoteProblem` checks the
 * content of strings. Accepts unknown fields.
 */
export const QuoteRequestSchema = T.Object(
  {
    ...PriceRequestSchema.properties,
    txsGasLimit: T.Optional(T.Integer({ minimum: 1, description: doc("Total gas limit of txs.") })),
    authorizationList: T.Optional(
      T.Array(
        T.Object({
          chainId: T.Integer({ minimum: 0 }),
          address: T.String({ description: doc("Contract that the account delegates to.") }),
          nonce: T.Integer({ minimum: 0 }),
          yParity: T.Integer({ minimum: 0, maximum: 1 }),
          r: T.String(),
          s: T.String(),
        }),
        { description: doc("EIP-7702 authorizations; the fill is a type 4 transaction.") },
      ),
    ),
    additionalData: T.Optional(
      T.Object(
        {
          userPublicKey: T.Optional(
            T.String({ description: doc("Required only for payers with a Bitcoin P2SH address.") }),
          ),
        },
        { description: doc("Data that some chains need in addition to the address.") },
      ),
    ),
    referrerAddress: T.Optional(T.String({ description: doc("Address of the integration.") })),
    recoveryAddress: T.Optional(
      T.String({
        description: doc("Origin-chain address that can withdraw funds that can be neither filled nor refunded."),
      }),
    ),
    topupGas: T.Optional(T.Boolean({ description: doc("Deliver native currency for gas too.") })),
    topupGasAmount: T.Optional(
      T.String({ description: doc("Value of the gas, in USD micro-units. Defaults to 2000000.") }),
    ),
    enableTrueExactOutput: T.Optional(
      T.Boolean({ description: doc("The surplus of an exact-output swap goes to the solver, not to the recipient.") }),
    ),
    explicitDeposit: T.Optional(
      T.Boolean({ description: doc("Deposit with a contract call, the default; false for a plain transfer.") }),
    ),
    permitExpiry: T.Optional(
      T.Integer({ minimum: 1, description: doc("Lifetime of the permit in seconds. Defaults to 600.") }),
    ),
    includeProtocolData: T.Optional(T.Boolean({ description: doc("Return the solver's signature over the order.") })),
    latePaymentSlippageTolerance: T.Optional(
      T.String({ description: doc("Extra destination gas after the order's deadline, in basis points, 0 to 10000.") }),
    ),
    gasLimitForDepositSpecifiedTxs: T.Optional(
      T.Integer({ minimum: 1, description: doc("Gas of calls that run inside the deposit transaction.") }),
    ),
    forceSolverExecution: T.Optional(
      T.Boolean({ description: doc("The solver executes a same-chain swap instead of the user.") }),
    ),
    subsidizeRent: T.Optional(T.Boolean({ deprecated: true, description: doc("Sponsor rent on SVM chains.") })),
    includedSwapSources: T.Optional(
      T.Array(T.String(), { description: doc("Use only these swap sources, on both chains.") }),
    ),
    excludedSwapSources: T.Optional(T.Array(T.String(), { description: doc("Do not use these swap sources.") })),
    includedDestinationSwapSources: T.Optional(
      T.Array(T.String(), { description: doc("Use only these swap sources on the destination chain.") }),
    ),
    originGasOverhead: T.Optional(
      T.Union([T.Number({ minimum: 0 }), amountText(doc("Alternative name in some of the service's samples."))], {
        description: doc("Additional gas for a gasless origin transaction."),
      }),
    ),
    depositFeePayer: T.Optional(
      T.String({ description: doc("Account that pays the fee and rent of an SVM deposit instead of the user.") }),
    ),
    useSharedAccounts: T.Optional(T.Boolean({ description: doc("Use shared accounts in an SVM swap.") })),
    includeComputeUnitLimit: T.Optional(
      T.Boolean({ description: doc("Set the compute unit limit of an SVM deposit.") }),
    ),
    overridePriceImpact: T.Optional(T.Boolean({ description: doc("Quote despite a high price impact.") })),
    disableSwapProviderPreference: T.Optional(T.Boolean({ description: doc("Ignore the preferred swap provider.") })),
    disableOriginSwaps: T.Optional(T.Boolean({ description: doc("Do not swap on the origin chain.") })),
    fixedRate: T.Optional(T.String({ description: doc("Guaranteed rate as input:output, such as 1:1.") })),
    ttl: T.Optional(T.Integer({ minimum: 1, description: doc("Seconds until an unfilled request is refunded.") })),
    maxRouteLength: T.Optional(
      T.Integer({ minimum: 1, description: doc("Maximum number of hops of SVM swap routing.") }),
    ),
    includedOriginSwapSources: T.Optional(
      T.Array(T.String(), { description: doc("Use only these swap sources on the origin chain.") }),
    ),
    subsidizeFees: T.Optional(T.Boolean({ description: doc("Sponsor all fee components.") })),
    maxSubsidizationAmount: T.Optional(T.String({ description: doc("Maximum sponsored amount, in USD micro-units.") })),
    strict: T.Optional(T.Boolean({ description: doc("The deposit address serves this order only.") })),
    sponsoredFeeComponents: T.Optional(
      T.Array(FeeComponentV2Schema, { description: doc("Sponsor only these components.") }),
    ),
  },
  { description: doc("The request to price.") },
);

/** The body of `POST /quote/v2`. */
export type QuoteRequest = Type.Static<typeof QuoteRequestSchema>;
