import * as Type from "typebox";

import { RequestStatusSchema } from "@crosscall/protocol/request";
import { StatusUpdateSchema } from "@crosscall/protocol/request/events";
import { amountText, anyFields, nullable } from "@crosscall/protocol/schema";
import { DEPOSIT_CHANGES, type DepositChange } from "../../scenarios/scenario.ts";
import { API_KEY_PATTERN, LIMIT_MAX } from "../keys/keyOptions.ts";

const closed = { additionalProperties: false } as const;

const isoTime = () => Type.String({ description: "ISO 8601." });

// Chains

export const ChainStateSchema = Type.Object({
  chainId: Type.Integer(),
  blockNumber: Type.Integer({ description: "The latest block." }),
  blockHash: Type.String(),
  miningIntervalMs: nullable(
    Type.Integer({ description: "Time between blocks, in milliseconds; null if each transaction creates a block." }),
  ),
  latencyMs: Type.Integer({ description: "Delay of every RPC call, in milliseconds." }),
});

export type ChainStateBody = Type.Static<typeof ChainStateSchema>;

export const FaucetSchema = Type.Object(
  {
    address: Type.String({ description: "Account that receives the funds." }),
    currency: Type.Optional(Type.String({ description: "Address or symbol; native by default." })),
    amount: Type.String({ description: "Smallest unit, decimal." }),
  },
  closed,
);

export const FundedSchema = Type.Object({
  chainId: Type.Integer(),
  address: Type.String({ description: "Account that received the funds." }),
  currency: Type.String({ description: "Address; the zero address is native." }),
  symbol: Type.String(),
  decimals: Type.Integer(),
  amount: Type.String({ description: "Smallest unit." }),
});

export const BlocksSchema = Type.Object({ blocks: Type.Integer() }, closed);

export const MiningSchema = Type.Object(
  {
    intervalMs: Type.Optional(Type.Integer({ description: "Time between blocks, in milliseconds." })),
    automatic: Type.Optional(Type.Literal(true, { description: "Each transaction creates a block immediately." })),
  },
  { ...closed, description: "Exactly one of the two." },
);

export const LatencySchema = Type.Object({ latencyMs: Type.Integer() }, closed);

// Clock

/** The last millisecond of the year 9999, which the database and all date formats support. */
export const LAST_MS = 253_402_300_799_999;

export const TimeSchema = Type.Object({
  now: Type.Integer({ description: "The service's time, in Unix milliseconds." }),
  offsetMs: Type.Integer({ description: "Offset from the system time, in milliseconds." }),
});

export const NewTimeSchema = Type.Object(
  {
    now: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LAST_MS,
        description: "New time in Unix milliseconds. The clock keeps running.",
      }),
    ),
    offsetMs: Type.Optional(
      Type.Integer({
        minimum: -LAST_MS,
        maximum: LAST_MS,
        description: "New offset from the system time, in milliseconds.",
      }),
    ),
    reset: Type.Optional(Type.Literal(true, { description: "Use the system time again." })),
  },
  { ...closed, description: "Exactly one of the three." },
);

// Fills

export const FillHoldSchema = Type.Object({
  id: Type.Integer(),
  filter: anyFields("The fields that a request must have; an empty object holds all fills."),
  createdAt: isoTime(),
});

const HeldFillSchema = Type.Object({
  requestId: Type.String(),
  status: RequestStatusSchema,
  user: Type.String(),
  recipient: Type.String(),
  originChainId: Type.Integer(),
  destinationChainId: Type.Integer(),
  destinationCurrency: Type.String({ description: "Address of the delivered currency." }),
  destinationSymbol: Type.String(),
  destinationDecimals: Type.Integer(),
  tradeType: Type.String(),
  expectedAmount: amountText("Quoted output in the smallest unit."),
  expectedUsd: Type.String({ description: "Value of the quoted output in US dollars, at the time of the quote." }),
  minimumAmount: Type.String({ description: "Minimum output in the smallest unit." }),
  heldAt: Type.String({ description: "ISO 8601, by the service's clock." }),
});

/** A fill that waits for its release. */
export type HeldFill = Type.Static<typeof HeldFillSchema>;

export const HeldFillsSchema = Type.Object({
  holds: Type.Array(FillHoldSchema, { description: "In the order in which they were set." }),
  held: Type.Array(HeldFillSchema, { description: "Held fills, oldest first." }),
  total: Type.Integer({ description: "Number of held fills, including those beyond `limit`." }),
});

/** The holds of a network, and the held fills. */
export type HeldFills = Omit<Type.Static<typeof HeldFillsSchema>, "holds"> & { readonly holds: FillHold[] };

/** A hold: fills with these properties are held. */
export interface FillHold extends Omit<Type.Static<typeof FillHoldSchema>, "filter"> {
  readonly filter: Readonly<Record<string, unknown>>;
}

export const HoldSchema = Type.Object(
  { filter: Type.Optional(anyFields("Fields as in a group of `filters` of GET /requests/v3; all fills by default.")) },
  closed,
);

export const ReleaseSchema = Type.Object(
  {
    requestId: Type.Optional(Type.String({ description: "Releases this request." })),
    oldest: Type.Optional(Type.Literal(true, { description: "Releases the request that was held first." })),
    all: Type.Optional(Type.Literal(true, { description: "Ends every hold and releases all requests." })),
    amount: Type.Optional(amountText("Delivered amount in the smallest unit; not for EXACT_OUTPUT.")),
    belowMinimum: Type.Optional(Type.Boolean({ description: "Allows an `amount` below the quoted minimum." })),
    scenario: Type.Optional(Type.String({ description: "Name from `crosscall scenarios`." })),
    parameters: Type.Optional(anyFields("Parameters of `scenario`.")),
    deposit: Type.Optional(
      Type.Unsafe<DepositChange>(
        Type.Union(
          DEPOSIT_CHANGES.map((change) => Type.Literal(change)),
          {
            description: "`drop` removes the deposit's block; `reorg` includes its transactions again in later blocks.",
          },
        ),
      ),
    ),
  },
  { ...closed, description: "Exactly one of `requestId`, `oldest` and `all`." },
);

export const ReleasedSchema = Type.Object({
  released: Type.Array(Type.String(), { description: "Ids of the released requests." }),
});

// Keys

const limit = (description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: LIMIT_MAX }), Type.Literal(false)], { description }));

const LimitsSchema = Type.Object(
  {
    quote: limit("Quote requests per minute; false for no limit."),
    listing: limit("v3 listing requests per minute; false for no limit."),
    other: limit("Other requests per minute, without the v2 listing; false for no limit."),
  },
  closed,
);

const sponsorBalance = amountText("Fees that the key may sponsor, in millionths of a US dollar.");

const name = (description: string) => Type.Optional(Type.String({ pattern: "^.{1,128}$", description }));

export const NewKeySchema = Type.Object(
  {
    apiKey: Type.Optional(Type.String({ pattern: API_KEY_PATTERN, description: "The key; a random one by default." })),
    integrator: name("Owner of the key. Keys of one integrator can read each other's requests."),
    label: name("Description."),
    limits: Type.Optional(LimitsSchema),
    sponsorBalance: Type.Optional(sponsorBalance),
  },
  closed,
);

export const KeySchema = Type.Object({
  id: Type.String({ description: "Id of the key; not the key itself." }),
  integrator: Type.String(),
  label: Type.String(),
  limits: LimitsSchema,
  sponsorBalance: Type.Union([sponsorBalance, Type.Null()], { description: "Null if the key may not sponsor." }),
  createdAt: isoTime(),
  revokedAt: nullable(isoTime()),
});

export type KeyInfo = Type.Static<typeof KeySchema>;

export const SponsorSchema = Type.Object({
  apiKey: Type.String({ minLength: 1, description: "The sponsor's API key." }),
  balance: amountText("Balance in millionths of a US dollar."),
});

const dollars = (description: string) =>
  Type.String({ pattern: "^[0-9]{1,80}(\\.[0-9]{1,6})?$", description: `${description} In US dollars.` });

const revenueShareTerms = {
  apiKey: Type.String({ minLength: 1, description: "The integrator's API key." }),
  businessVerified: Type.Boolean({ description: "Whether the business verification is complete." }),
  wallet: nullable(Type.String({ pattern: "^0x[0-9a-fA-F]{40}$", description: "EVM wallet that receives the share." })),
  otherVolumeUsd: dollars("Volume of the trailing 30 days, in addition to the integrator's requests here."),
};

export const RevenueShareSchema = Type.Object({
  ...revenueShareTerms,
  volumeUsd: dollars("Total volume of the trailing 30 days."),
  accruedUsd: dollars("Share from the filled requests of this key."),
});

export type RevenueShare = Type.Static<typeof RevenueShareSchema>;

export const NewRevenueShareSchema = Type.Object(
  { ...revenueShareTerms, otherVolumeUsd: Type.Optional(revenueShareTerms.otherVolumeUsd) },
  closed,
);

// Requests

export const SimulatedDepositSchema = Type.Object({
  txHash: Type.Optional(Type.String({ minLength: 1 })),
  amount: Type.Optional(amountText("In the smallest unit; the quoted amount by default.")),
  currency: Type.Optional(Type.String({ description: "The quoted currency by default." })),
  depositor: Type.Optional(Type.String({ description: "The request's user by default." })),
});

export const RecordFieldsSchema = Type.Object(
  {
    supersededByRequestId: Type.Optional(
      nullable(Type.String({ description: "The regenerated request of a deposit address." })),
    ),
    partnerId: Type.Optional(nullable(Type.String({ description: "Id of a payment partner." }))),
    usesOraclePrice: Type.Optional(Type.Boolean({ description: "Adds `data.quoteOraclePrice`." })),
    triggeredByFastFill: Type.Optional(nullable(Type.Boolean())),
  },
  { ...closed, minProperties: 1 },
);

export const RequestTransitionsSchema = Type.Object({
  transitions: Type.Array(
    Type.Object({
      from: RequestStatusSchema,
      to: RequestStatusSchema,
      at: Type.String({ description: "ISO 8601, by the service's clock." }),
      reason: nullable(Type.String({ description: "Reason for the transition, if any: a failReason or an event." })),
    }),
    { description: "In chronological order." },
  ),
  scenarios: Type.Array(Type.String(), { description: "Names of the scenarios that affect the request." }),
});

/** A state change of a request. */
export type RequestTransition = Type.Static<typeof RequestTransitionsSchema>["transitions"][number];

// Scenarios

export const NewScenarioSchema = Type.Object({
  name: Type.String({ description: "Name from `crosscall scenarios`." }),
  next: Type.Optional(Type.Integer({ description: "Number of requests to affect; all until cleared by default." })),
  parameters: Type.Optional(anyFields("Parameters by name, as listed by `crosscall scenarios`.")),
});

export const ActiveScenarioSchema = Type.Object({
  name: Type.String(),
  parameters: anyFields("Parameters as set."),
  next: nullable(Type.Integer({ description: "Remaining uses; null until cleared." })),
  uses: Type.Integer({ description: "Number of uses so far." }),
  createdAt: isoTime(),
});

export const ActiveScenariosSchema = Type.Object({ scenarios: Type.Array(ActiveScenarioSchema) });

// Webhooks

const nullableInteger = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });
const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const NewWebhookSchema = Type.Object(
  {
    apiKey: Type.String({ description: "API key that selects the requests to report and signs the events." }),
    url: Type.String({ description: "URL that receives the events." }),
    headers: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string>>>(
        Type.Object({}, { additionalProperties: Type.String(), description: "Sent with every event." }),
      ),
    ),
  },
  closed,
);

export const WebhookSchema = Type.Object({
  keyId: Type.String({ description: "The key's id." }),
  url: Type.String(),
  headerNames: Type.Array(Type.String(), { description: "Names of its headers, without the values." }),
  createdAt: isoTime(),
});

export type WebhookInfo = Type.Static<typeof WebhookSchema>;

export const OneWebhookSchema = Type.Object({ webhook: WebhookSchema });

export const WebhookTestSchema = Type.Object({
  isDelivered: Type.Boolean({ description: "Whether the receiver responded with 2xx." }),
  answerStatus: nullableInteger("Status of the receiver's response; null without a response."),
  problem: nullableText("Why the delivery failed."),
});

const DeliveryStateSchema = Type.Union(
  [Type.Literal("pending"), Type.Literal("delivered"), Type.Literal("undelivered")],
  { description: "undelivered: no further attempts are made." },
);

export const DeliveryQuerySchema = Type.Object(
  {
    state: Type.Optional(DeliveryStateSchema),
    requestId: Type.Optional(Type.String({ minLength: 1 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    before: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "Events with lower ids only." }),
    ),
  },
  closed,
);

const DeliverySchema = Type.Object({
  id: Type.Integer({ description: "Increases with each event." }),
  keyId: Type.String(),
  requestId: Type.String(),
  status: RequestStatusSchema,
  updatedAt: Type.Integer({ description: "Time of this status, in Unix milliseconds." }),
  state: DeliveryStateSchema,
  attempts: Type.Integer(),
  answerStatus: nullableInteger("HTTP status of the receiver's last response."),
  problem: nullableText("Why the last attempt failed."),
  nextAttemptAt: nullableText("ISO 8601, by the database's clock; also set during an attempt."),
  finishedAt: nullableText("ISO 8601, by the database's clock."),
  data: Type.Union([StatusUpdateSchema, Type.Null()], {
    description: "Content of the event; null before the first attempt.",
  }),
});

export type DeliveryInfo = Type.Static<typeof DeliverySchema>;

export const DeliveriesSchema = Type.Object({ deliveries: Type.Array(DeliverySchema) });
