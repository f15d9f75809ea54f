import type { Static } from "typebox";

import type { Order } from "../order/order.ts";
import {
  DepositsAnswerSchema,
  DepositsBodySchema,
  ExecuteAndWithdrawAnswerSchema,
  ExecuteAndWithdrawBodySchema,
  RecoverBodySchema,
} from "./messages/deposits.ts";
import {
  EntryAnswerSchema,
  NoFillBodySchema,
  NonceMappingBodySchema,
  TriggerAnswerSchema,
  TriggerBodySchema,
} from "./messages/statements.ts";
import { FillAnswerSchema, FillBodySchema, RefundAnswerSchema, RefundBodySchema } from "./messages/solver.ts";
import { ExecutionAnswerSchema, TransferBodySchema } from "./messages/transfer.ts";
import {
  InitiatedAnswerSchema,
  InitiatedBodySchema,
  InitiationAnswerSchema,
  InitiationBodySchema,
  WithdrawalAnswerSchema,
  WithdrawalBodySchema,
} from "./messages/withdrawals.ts";
import {
  InitiatedV2AnswerSchema,
  InitiationV2AnswerSchema,
  OwnedWithdrawalBodySchema,
  WithdrawalStatusAnswerSchema,
  WithdrawalV2BodySchema,
} from "./messages/withdrawalsV2.ts";
import {
  AuthorizationAnswerSchema,
  AuthorizationBodySchema,
  WithdrawalV3BodySchema,
  WithdrawRequestAnswerSchema,
  WithdrawRequestBodySchema,
} from "./messages/withdrawRequests.ts";

/** Each is `POST /attestations/{name}` (spec 3, section 4; spec 5, section 1). */
export const ATTESTATION_ROUTES = {
  "depository-deposits/v1": {
    summary: "Attest the deposits of a transaction",
    body: DepositsBodySchema,
    answer: DepositsAnswerSchema,
  },
  "solver-fills/v1": {
    summary: "Attest that a solver filled an order",
    body: FillBodySchema,
    answer: FillAnswerSchema,
  },
  "solver-refunds/v1": {
    summary: "Attest that a solver refunded an order",
    body: RefundBodySchema,
    answer: RefundAnswerSchema,
  },
  "depository-withdrawals/v1": {
    summary: "Attest the status of a withdrawal",
    body: WithdrawalBodySchema,
    answer: WithdrawalAnswerSchema,
  },
  "depository-withdrawals/v2": {
    summary: "Attest the status of a withdrawal that its owner signed",
    body: WithdrawalV2BodySchema,
    answer: WithdrawalStatusAnswerSchema,
  },
  "depository-withdrawals/v3": {
    summary: "Attest the status of a withdraw request",
    body: WithdrawalV3BodySchema,
    answer: WithdrawalStatusAnswerSchema,
  },
  "withdrawal-initiation/v1": {
    summary: "Attest that an owner initiates a withdrawal",
    body: InitiationBodySchema,
    answer: InitiationAnswerSchema,
  },
  "withdrawal-initiation/v2": {
    summary: "Attest that an owner initiates a withdrawal",
    body: OwnedWithdrawalBodySchema,
    answer: InitiationV2AnswerSchema,
  },
  "withdrawal-initiated/v1": {
    summary: "Attest that the withdrawal address holds the balance to withdraw; the response is unsigned",
    body: InitiatedBodySchema,
    answer: InitiatedAnswerSchema,
  },
  "withdrawal-initiated/v2": {
    summary: "Attest to the allocator that the withdrawal address holds the balance to withdraw",
    body: OwnedWithdrawalBodySchema,
    answer: InitiatedV2AnswerSchema,
  },
  "withdraw-requests/v1": {
    summary: "Attest the hashes to sign of a withdraw request",
    body: WithdrawRequestBodySchema,
    answer: WithdrawRequestAnswerSchema,
  },
  "withdraw-request-authorization/v1": {
    summary: "Attest that an owner authorized a withdraw request",
    body: AuthorizationBodySchema,
    answer: AuthorizationAnswerSchema,
  },
  "withdraw-and-fill/v1": {
    summary: "Attest a deposit and that a depository pays out its order",
    body: ExecuteAndWithdrawBodySchema,
    answer: ExecuteAndWithdrawAnswerSchema,
  },
  "withdraw-and-refund/v1": {
    summary: "Attest a deposit and that a depository refunds its order",
    body: ExecuteAndWithdrawBodySchema,
    answer: ExecuteAndWithdrawAnswerSchema,
  },
  "transfer/v1": {
    summary: "Attest that an owner transfers a balance on the hub",
    body: TransferBodySchema,
    answer: ExecutionAnswerSchema,
  },
  "recover/v1": {
    summary: "Attest that a deposit returns to its depositor on the hub",
    body: RecoverBodySchema,
    answer: ExecutionAnswerSchema,
  },
  "deposit-address-triggers/v1": {
    summary: "Attest the trigger of an order at a deposit address",
    body: TriggerBodySchema,
    answer: TriggerAnswerSchema,
  },
  "signatures/no-fill-or-refund/v1": {
    summary: "Attest a solver's statement that it neither filled nor refunded an order",
    body: NoFillBodySchema,
    answer: EntryAnswerSchema,
  },
  "signatures/nonce-mapping/v2": {
    summary: "Attest a wallet's statement that maps its nonce to an id",
    body: NonceMappingBodySchema,
    answer: EntryAnswerSchema,
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

/** Narrows the order's type, because its schema is looser. */
type WithOrder<Body> = { readonly [Key in keyof Body]: Key extends "order" ? Order : Body[Key] };
