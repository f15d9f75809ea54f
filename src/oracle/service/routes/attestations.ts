import type { FastifyRequest } from "fastify";

import { attestDeposits } from "../../attest/deposits.ts";
import { attestFill } from "../../attest/fill.ts";
import { attestNoFill, attestNonceMapping, hashSignedEntry } from "../../attest/genericMapping.ts";
import { attestRefund } from "../../attest/refund.ts";
import { attestTransfer } from "../../attest/transfer.ts";
import { attestTrigger, hashSignedTrigger } from "../../attest/trigger.ts";
import { attestWithdrawal } from "../../attest/withdrawal.ts";
import { attestInitiated, attestInitiation } from "../../attest/withdrawalInitiation.ts";
import { addPeersTo, addPeersToExecution } from "../../peers/addPeers.ts";
import { attestationRoute } from "../attestationRoute.ts";
import type { OracleRoute } from "../route.ts";
import { DepositsAnswerSchema, DepositsBodySchema } from "../../../protocol/attestation/messages/deposits.ts";
import {
  EntryAnswerSchema,
  NoFillBodySchema,
  NonceMappingBodySchema,
  SignedEntrySchema,
} from "../../../protocol/attestation/messages/genericMapping.ts";
import {
  FillAnswerSchema,
  FillBodySchema,
  RefundAnswerSchema,
  RefundBodySchema,
} from "../../../protocol/attestation/messages/solver.ts";
import { ExecutionAnswerSchema, TransferBodySchema } from "../../../protocol/attestation/messages/transfer.ts";
import {
  SignedTriggerSchema,
  TriggerAnswerSchema,
  TriggerBodySchema,
} from "../../../protocol/attestation/messages/trigger.ts";
import {
  InitiatedAnswerSchema,
  InitiatedBodySchema,
  InitiationAnswerSchema,
  InitiationBodySchema,
  WithdrawalAnswerSchema,
  WithdrawalBodySchema,
} from "../../../protocol/attestation/messages/withdrawals.ts";

/** The routes of the specification, and those of the words of solvers and wallets. */
export function attestationRoutes(hasKey: (request: FastifyRequest) => boolean): readonly OracleRoute[] {
  return [
    attestationRoute(
      {
        path: "/attestations/depository-deposits/v1",
        summary: "Attest the deposits of a transaction",
        body: DepositsBodySchema,
        answer: DepositsAnswerSchema,
        attest: attestDeposits,
      },
      addPeersToExecution,
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/solver-fills/v1",
        summary: "Attest that a solver filled an order",
        body: FillBodySchema,
        answer: FillAnswerSchema,
        attest: attestFill,
      },
      addPeersToExecution,
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/solver-refunds/v1",
        summary: "Attest that a solver refunded an order",
        body: RefundBodySchema,
        answer: RefundAnswerSchema,
        attest: attestRefund,
      },
      addPeersToExecution,
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/depository-withdrawals/v1",
        summary: "Attest what became of a withdrawal",
        body: WithdrawalBodySchema,
        answer: WithdrawalAnswerSchema,
        attest: attestWithdrawal,
      },
      addPeersToExecution,
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/withdrawal-initiation/v1",
        summary: "Attest that an owner initiates a withdrawal",
        body: InitiationBodySchema,
        answer: InitiationAnswerSchema,
        attest: attestInitiation,
      },
      addPeersToExecution,
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/withdrawal-initiated/v1",
        summary: "Attest that a withdrawal is initiated",
        body: InitiatedBodySchema,
        answer: InitiatedAnswerSchema,
        attest: attestInitiated,
      },
      // Its answers are not signed.
      (_context, _call, answer) => Promise.resolve(answer),
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/transfer/v1",
        summary: "Attest that an owner moves a balance on the hub",
        body: TransferBodySchema,
        answer: ExecutionAnswerSchema,
        attest: attestTransfer,
      },
      addPeersToExecution,
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/signatures/no-fill-or-refund/v1",
        summary: "Attest a solver's word that it neither filled nor refunded an order",
        body: NoFillBodySchema,
        answer: EntryAnswerSchema,
        attest: attestNoFill,
      },
      addPeersTo("genericMapping", SignedEntrySchema, hashSignedEntry),
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/signatures/nonce-mapping/v2",
        summary: "Attest a wallet's word that binds its nonce to an id",
        body: NonceMappingBodySchema,
        answer: EntryAnswerSchema,
        attest: attestNonceMapping,
      },
      addPeersTo("genericMapping", SignedEntrySchema, hashSignedEntry),
      hasKey,
    ),
    attestationRoute(
      {
        path: "/attestations/deposit-address-triggers/v1",
        summary: "Attest what starts an order at a deposit address",
        body: TriggerBodySchema,
        answer: TriggerAnswerSchema,
        attest: attestTrigger,
      },
      addPeersTo("trigger", SignedTriggerSchema, hashSignedTrigger),
      hasKey,
    ),
  ];
}
