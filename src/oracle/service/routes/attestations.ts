import type { FastifyRequest } from "fastify";

import { attestDeposits } from "../../attest/deposits.ts";
import { attestFill } from "../../attest/fill.ts";
import { attestRefund } from "../../attest/refund.ts";
import { attestWithdrawal } from "../../attest/withdrawal.ts";
import { attestInitiated, attestInitiation } from "../../attest/withdrawalInitiation.ts";
import { executionRoute } from "../attestationRoute.ts";
import type { OracleRoute } from "../route.ts";
import { DepositsAnswerSchema, DepositsBodySchema } from "../schemas/deposits.ts";
import { FillAnswerSchema, FillBodySchema, RefundAnswerSchema, RefundBodySchema } from "../schemas/solver.ts";
import {
  InitiatedAnswerSchema,
  InitiatedBodySchema,
  InitiationAnswerSchema,
  InitiationBodySchema,
  WithdrawalAnswerSchema,
  WithdrawalBodySchema,
} from "../schemas/withdrawals.ts";

/** All routes whose answers are attestations. */
export function attestationRoutes(hasKey: (request: FastifyRequest) => boolean): readonly OracleRoute[] {
  return [
    executionRoute(
      {
        path: "/attestations/depository-deposits/v1",
        summary: "Attest the deposits of a transaction",
        body: DepositsBodySchema,
        answer: DepositsAnswerSchema,
        attest: attestDeposits,
      },
      hasKey,
    ),
    executionRoute(
      {
        path: "/attestations/solver-fills/v1",
        summary: "Attest that a solver filled an order",
        body: FillBodySchema,
        answer: FillAnswerSchema,
        attest: attestFill,
      },
      hasKey,
    ),
    executionRoute(
      {
        path: "/attestations/solver-refunds/v1",
        summary: "Attest that a solver refunded an order",
        body: RefundBodySchema,
        answer: RefundAnswerSchema,
        attest: attestRefund,
      },
      hasKey,
    ),
    executionRoute(
      {
        path: "/attestations/depository-withdrawals/v1",
        summary: "Attest what became of a withdrawal",
        body: WithdrawalBodySchema,
        answer: WithdrawalAnswerSchema,
        attest: attestWithdrawal,
      },
      hasKey,
    ),
    executionRoute(
      {
        path: "/attestations/withdrawal-initiation/v1",
        summary: "Attest that an owner initiates a withdrawal",
        body: InitiationBodySchema,
        answer: InitiationAnswerSchema,
        attest: attestInitiation,
      },
      hasKey,
    ),
    executionRoute(
      {
        path: "/attestations/withdrawal-initiated/v1",
        summary: "Attest that a withdrawal is initiated",
        body: InitiatedBodySchema,
        answer: InitiatedAnswerSchema,
        attest: attestInitiated,
      },
      hasKey,
    ),
  ];
}
