import type { FastifyRequest } from "fastify";

import { attestWithdrawAndFill, attestWithdrawAndRefund } from "../../attest/executeAndWithdraw.ts";
import { attestInitiatedV2, attestInitiationV2, hashPayloadParams } from "../../attest/initiationV2.ts";
import { attestRecover } from "../../attest/recover.ts";
import { attestWithdrawalV2 } from "../../attest/withdrawalV2.ts";
import { attestWithdrawalV3 } from "../../attest/withdrawalV3.ts";
import {
  attestAuthorization,
  attestWithdrawRequest,
  hashAuthorization,
  hashHashesToSign,
} from "../../attest/withdrawRequest.ts";
import { addPeersTo, addPeersToAnswer, addPeersToExecution } from "../../peers/addPeers.ts";
import { addPeersToSettlement } from "../../peers/addPeersToSettlement.ts";
import {
  ExecuteAndWithdrawAnswerSchema,
  ExecuteAndWithdrawBodySchema,
} from "../../../protocol/attestation/messages/executeAndWithdraw.ts";
import { RecoverBodySchema } from "../../../protocol/attestation/messages/recover.ts";
import { ExecutionAnswerSchema } from "../../../protocol/attestation/messages/transfer.ts";
import {
  InitiatedV2AnswerSchema,
  InitiationV2AnswerSchema,
  OwnedWithdrawalBodySchema,
  PayloadParamsSchema,
  WithdrawalStatusAnswerSchema,
  WithdrawalV2BodySchema,
} from "../../../protocol/attestation/messages/withdrawalsV2.ts";
import {
  AuthorizationAnswerSchema,
  AuthorizationBodySchema,
  HashesToSignSchema,
  WithdrawalV3BodySchema,
  WithdrawRequestAnswerSchema,
  WithdrawRequestBodySchema,
} from "../../../protocol/attestation/messages/withdrawRequests.ts";
import { attestationRoute } from "../attestationRoute.ts";
import type { OracleRoute } from "../route.ts";

/** The later versions of the withdrawal routes, and what they are followed by (spec 5, section 1). */
export function withdrawalAttestationRoutes(hasKey: (request: FastifyRequest) => boolean): readonly OracleRoute[] {
  return [
    attestationRoute(
      {
        path: "/attestations/depository-withdrawals/v2",
        summary: "Attest what became of an owner's withdrawal",
        body: WithdrawalV2BodySchema,
        answer: WithdrawalStatusAnswerSchema,
        attest: attestWithdrawalV2,
      },
      addPeersToExecution,
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/depository-withdrawals/v3",
        summary: "Attest what became of a withdraw request",
        body: WithdrawalV3BodySchema,
        answer: WithdrawalStatusAnswerSchema,
        attest: attestWithdrawalV3,
      },
      addPeersToExecution,
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/withdrawal-initiation/v2",
        summary: "Attest that an owner initiates a withdrawal",
        body: OwnedWithdrawalBodySchema,
        answer: InitiationV2AnswerSchema,
        attest: attestInitiationV2,
      },
      addPeersToExecution,
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/withdrawal-initiated/v2",
        summary: "Attest that a withdrawal is initiated, to the allocator",
        body: OwnedWithdrawalBodySchema,
        answer: InitiatedV2AnswerSchema,
        attest: attestInitiatedV2,
      },
      addPeersTo("payloadParams", PayloadParamsSchema, hashPayloadParams),
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/recover/v1",
        summary: "Attest that a deposit goes back to its depositor on the hub",
        body: RecoverBodySchema,
        answer: ExecutionAnswerSchema,
        attest: attestRecover,
      },
      addPeersToExecution,
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/withdraw-requests/v1",
        summary: "Attest the hashes of a withdraw request",
        body: WithdrawRequestBodySchema,
        answer: WithdrawRequestAnswerSchema,
        attest: attestWithdrawRequest,
      },
      addPeersTo("withdrawRequest", HashesToSignSchema, hashHashesToSign),
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/withdraw-request-authorization/v1",
        summary: "Attest that an owner authorized a withdraw request",
        body: AuthorizationBodySchema,
        answer: AuthorizationAnswerSchema,
        attest: attestAuthorization,
      },
      addPeersToAnswer(AuthorizationAnswerSchema, hashAuthorization),
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/withdraw-and-fill/v1",
        summary: "Attest a deposit, and that its order is filled out of a depository",
        body: ExecuteAndWithdrawBodySchema,
        answer: ExecuteAndWithdrawAnswerSchema,
        attest: attestWithdrawAndFill,
      },
      addPeersToSettlement,
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/withdraw-and-refund/v1",
        summary: "Attest a deposit, and that its order is refunded out of a depository",
        body: ExecuteAndWithdrawBodySchema,
        answer: ExecuteAndWithdrawAnswerSchema,
        attest: attestWithdrawAndRefund,
      },
      addPeersToSettlement,
      hasKey,
    ),
  ];
}
