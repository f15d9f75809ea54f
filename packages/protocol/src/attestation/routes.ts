import type { Static } from "typebox";

import type { Order } from "../order/order.ts";
import {
  DepositsResponseSchema,
  DepositsBodySchema,
  ExecuteAndWithdrawResponseSchema,
  ExecuteAndWithdrawBodySchema,
  RecoverBodySchema,
} from "./messages/deposits.ts";
import {
  EntryResponseSchema,
  NoFillBodySchema,
  NonceMappingBodySchema,
  TriggerResponseSchema,
  TriggerBodySchema,
} from "./messages/statements.ts";
import { FillResponseSchema, FillBodySchema, RefundResponseSchema, RefundBodySchema } from "./messages/solver.ts";
import { ExecutionResponseSchema, TransferBodySchema } from "./messages/transfer.ts";
import {
  InitiatedResponseSchema,
  InitiatedBodySchema,
  InitiationResponseSchema,
  InitiationBodySchema,
  WithdrawalResponseSchema,
  WithdrawalBodySchema,
} from "./messages/withdrawals.ts";
import {
  InitiatedV2ResponseSchema,
  InitiationV2ResponseSchema,
  OwnedWithdrawalBodySchema,
  WithdrawalStatusResponseSchema,
  WithdrawalV2BodySchema,
} from "./messages/withdrawalsV2.ts";
import {
  AuthorizationResponseSchema,
  AuthorizationBodySchema,
  WithdrawalV3BodySchema,
  WithdrawRequestResponseSchema,
  WithdrawRequestBodySchema,
} from "./messages/withdrawRequests.ts";

/** Attestation routes by name: `POST /attestations/{name}` (spec 3, section 4; spec 5, section 1). */
export const ATTESTATION_ROUTES = {
  "depository-deposits/v1": {
    summary: "Attest the deposits of a transaction",
    body: DepositsBodySchema,
    answer: DepositsResponseSchema,
  },
  "solver-fills/v1": {
    summary: "Attest that a solver filled an order",
    body: FillBodySchema,
    answer: FillResponseSchema,
  },
  "solver-refunds/v1": {
    summary: "Attest that a solver refunded an order",
    body: RefundBodySchema,
    answer: RefundResponseSchema,
  },
  "depository-withdrawals/v1": {
    summary: "Attest the status of a withdrawal",
    body: WithdrawalBodySchema,
    answer: WithdrawalResponseSchema,
  },
  "depository-withdrawals/v2": {
    summary: "Attest the status of a withdrawal that its owner signed",
    body: WithdrawalV2BodySchema,
    answer: WithdrawalStatusResponseSchema,
  },
  "depository-withdrawals/v3": {
    summary: "Attest the status of a withdraw request",
    body: WithdrawalV3BodySchema,
    answer: WithdrawalStatusResponseSchema,
  },
  "withdrawal-initiation/v1": {
    summary: "Attest that an owner initiates a withdrawal",
    body: InitiationBodySchema,
    answer: InitiationResponseSchema,
  },
  "withdrawal-initiation/v2": {
    summary: "Attest that an owner initiates a withdrawal",
    body: OwnedWithdrawalBodySchema,
    answer: InitiationV2ResponseSchema,
  },
  "withdrawal-initiated/v1": {
    summary: "Attest that the withdrawal address holds the balance to withdraw; the response is unsigned",
    body: InitiatedBodySchema,
    answer: InitiatedResponseSchema,
  },
  "withdrawal-initiated/v2": {
    summary: "Attest to the allocator that the withdrawal address holds the balance to withdraw",
    body: OwnedWithdrawalBodySchema,
    answer: InitiatedV2ResponseSchema,
  },
  "withdraw-requests/v1": {
    summary: "Attest the hashes to sign for a withdraw request",
    body: WithdrawRequestBodySchema,
    answer: WithdrawRequestResponseSchema,
  },
  "withdraw-request-authorization/v1": {
    summary: "Attest that an owner authorized a withdraw request",
    body: AuthorizationBodySchema,
    answer: AuthorizationResponseSchema,
  },
  "withdraw-and-fill/v1": {
    summary: "Attest a deposit and that a depository pays out its order",
    body: ExecuteAndWithdrawBodySchema,
    answer: ExecuteAndWithdrawResponseSchema,
  },
  "withdraw-and-refund/v1": {
    summary: "Attest a deposit and that a depository refunds its order",
    body: ExecuteAndWithdrawBodySchema,
    answer: ExecuteAndWithdrawResponseSchema,
  },
  "transfer/v1": {
    summary: "Attest that an owner transfers a balance on the hub",
    body: TransferBodySchema,
    answer: ExecutionResponseSchema,
  },
  "recover/v1": {
    summary: "Attest that a deposit returns to its depositor on the hub",
    body: RecoverBodySchema,
    answer: ExecutionResponseSchema,
  },
  "deposit-address-triggers/v1": {
    summary: "Attest the trigger of an order at a deposit address",
    body: TriggerBodySchema,
    answer: TriggerResponseSchema,
  },
  "signatures/no-fill-or-refund/v1": {
    summary: "Attest a solver's statement that it neither filled nor refunded an order",
    body: NoFillBodySchema,
    answer: EntryResponseSchema,
  },
  "signatures/nonce-mapping/v2": {
    summary: "Attest a wallet's statement that maps its nonce to an id",
    body: NonceMappingBodySchema,
    answer: EntryResponseSchema,
  },
} as const;

/** Name of an attestation route, such as `solver-fills/v1`. */
export type AttestationRoute = keyof typeof ATTESTATION_ROUTES;

/** Request body of an attestation route. */
export type AttestationBody<Route extends AttestationRoute> = WithOrder<
  Static<(typeof ATTESTATION_ROUTES)[Route]["body"]>
>;

/** Response of an attestation route. */
export type Attestation<Route extends AttestationRoute> = Static<(typeof ATTESTATION_ROUTES)[Route]["answer"]>;

/** Body with a narrower type of the order, because the order's schema is looser. */
type WithOrder<Body> = { readonly [Key in keyof Body]: Key extends "order" ? Order : Body[Key] };
