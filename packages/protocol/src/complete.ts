// Responses with all documented fields, as the local service sends them. Types for reading responses are next to the
// schemas, with all fields optional.
import type { Static } from "typebox";

import type { ChainCurrencySchema, ChainEntrySchema } from "./common/chainEntry.ts";
import type { AmountSchema, CurrencyEntrySchema, CurrencySchema, GroupAmountSchema } from "./common/currency.ts";
import type {
  ActualAppFeeSchema,
  ActualFeePhaseSchema,
  ActualSponsorshipPhaseSchema,
  AppFeesSchema,
  FeeSponsorshipSchema,
  FeesSchema,
} from "./fees/fees.ts";
import type { FeePhaseSchema, SponsorshipPhaseSchema } from "./fees/quotedFees.ts";
import type { AppFeeClaimSchema, ClaimStepsSchema } from "./fees/appFeeBalance.ts";
import type { IntentStatusSchema } from "./request/intentStatus.ts";
import type { ProtocolRecordSchema } from "./order/protocolRecord.ts";
import type { PriceSchema, QuoteDetailsSchema, QuoteFeesSchema, QuoteSchema } from "./quote/quote.ts";
import type { DepositAddressSchema } from "./request/depositAddress.ts";
import type { RequestListSchema, RequestRecordSchema } from "./request/requestRecord.ts";
import type { FailedCallDataSchema, RequestRecordDataSchema } from "./request/requestRecordData.ts";
import type { QuoteV3Schema, StepV3Schema } from "./quote/quoteV3.ts";
import type { QuoteRouteSchema, RouteSideSchema } from "./common/route.ts";
import type { RouteSchema } from "./request/recordRoute.ts";
import type { StatusEventSchema, StatusUpdateSchema } from "./request/statusEvent.ts";
import type { StepItemSchema, StepSchema } from "./quote/step.ts";
import type { TransactionEntrySchema } from "./request/transactionEntry.ts";
import type { RequestRecordV2Schema } from "./v2/requestRecordV2.ts";

export type ActualAppFee = Static<typeof ActualAppFeeSchema>;
export type ActualFeePhase = Static<typeof ActualFeePhaseSchema>;
export type ActualSponsorshipPhase = Static<typeof ActualSponsorshipPhaseSchema>;
export type Amount = Static<typeof AmountSchema>;
export type AppFeeClaim = Static<typeof AppFeeClaimSchema>;
export type AppFees = Static<typeof AppFeesSchema>;
export type ChainCurrency = Static<typeof ChainCurrencySchema>;
export type ChainEntry = Static<typeof ChainEntrySchema>;
export type ClaimSteps = Static<typeof ClaimStepsSchema>;
export type Currency = Static<typeof CurrencySchema>;
export type CurrencyEntry = Static<typeof CurrencyEntrySchema>;
export type DepositAddress = Static<typeof DepositAddressSchema>;
export type FailedCallData = Static<typeof FailedCallDataSchema>;
export type FeePhase = Static<typeof FeePhaseSchema>;
export type Fees = Static<typeof FeesSchema>;
export type FeeSponsorship = Static<typeof FeeSponsorshipSchema>;
export type GroupAmount = Static<typeof GroupAmountSchema>;
export type IntentStatus = Static<typeof IntentStatusSchema>;
export type Price = Static<typeof PriceSchema>;
export type ProtocolRecord = Static<typeof ProtocolRecordSchema>;
export type Quote = Static<typeof QuoteSchema>;
export type QuoteDetails = Static<typeof QuoteDetailsSchema>;
export type QuoteV3 = Static<typeof QuoteV3Schema>;
export type QuoteFees = Static<typeof QuoteFeesSchema>;
export type QuoteRoute = Static<typeof QuoteRouteSchema>;
export type RequestList = Static<typeof RequestListSchema>;
export type RequestRecord = Static<typeof RequestRecordSchema>;
export type RequestRecordData = Static<typeof RequestRecordDataSchema>;
export type RequestRecordV2 = Static<typeof RequestRecordV2Schema>;
export type Route = Static<typeof RouteSchema>;
export type RouteSide = Static<typeof RouteSideSchema>;
export type SponsorshipPhase = Static<typeof SponsorshipPhaseSchema>;
export type StatusEvent = Static<typeof StatusEventSchema>;
export type StatusUpdate = Static<typeof StatusUpdateSchema>;
export type Step = Static<typeof StepSchema>;
export type StepV3 = Static<typeof StepV3Schema>;
export type StepItem = Static<typeof StepItemSchema>;
export type TransactionEntry = Static<typeof TransactionEntrySchema>;
