import type { FastifyRequest, FastifySchema } from "fastify";
import type { Static } from "typebox";

import {
  type Attestation,
  ATTESTATION_ROUTES,
  type AttestationRoute,
  AuthorizationResponseSchema,
  HashesToSignSchema,
  PayloadParamsSchema,
  SignedEntrySchema,
  SignedTriggerSchema,
} from "@crosscall/protocol/attestation";
import { attestDeposits } from "../../attest/deposits.ts";
import { attestWithdrawAndFill, attestWithdrawAndRefund } from "../../attest/executeAndWithdraw.ts";
import { attestFill, attestRefund } from "../../attest/settlement.ts";
import { attestNoFill, attestNonceMapping, hashSignedEntry } from "../../attest/genericMapping.ts";
import {
  attestInitiatedV2,
  attestInitiationV2,
  attestWithdrawalV2,
  hashPayloadParams,
} from "../../attest/withdrawalV2.ts";
import { attestRecover } from "../../attest/recover.ts";
import { attestTransfer } from "../../attest/transfer.ts";
import { attestTrigger, hashSignedTrigger } from "../../attest/trigger.ts";
import { attestInitiated, attestInitiation, attestWithdrawal } from "../../attest/withdrawal.ts";
import {
  attestAuthorization,
  attestWithdrawalV3,
  attestWithdrawRequest,
  hashAuthorization,
  hashHashesToSign,
} from "../../attest/withdrawalV3.ts";
import type { OracleContext } from "../../oracleContext.ts";
import {
  type AddPeers,
  addPeersTo,
  addPeersToResponse,
  addPeersToExecution,
  addPeersToSettlement,
} from "../../peers/addPeers.ts";
import { keyOf } from "../access.ts";
import { boundBody } from "../bounds.ts";
import { RejectionSchema } from "../errors.ts";
import type { OracleApp } from "../route.ts";

type Body<Route extends AttestationRoute> = Static<(typeof ATTESTATION_ROUTES)[Route]["body"]>;

/** Functions of a route that create its response and add the signatures of peers. */
interface Attester<Route extends AttestationRoute> {
  /** @param hasKey whether the request has a valid API key */
  readonly attest: (context: OracleContext, body: Body<Route>, hasKey: boolean) => Promise<Attestation<Route>>;
  readonly addPeers: AddPeers<Attestation<Route>>;
}

const addPeersToEntry = addPeersTo("genericMapping", SignedEntrySchema, hashSignedEntry);

const ATTESTERS: { readonly [Route in AttestationRoute]: Attester<Route> } = {
  "depository-deposits/v1": { attest: attestDeposits, addPeers: addPeersToExecution },
  "solver-fills/v1": { attest: attestFill, addPeers: addPeersToExecution },
  "solver-refunds/v1": { attest: attestRefund, addPeers: addPeersToExecution },
  "depository-withdrawals/v1": { attest: attestWithdrawal, addPeers: addPeersToExecution },
  "depository-withdrawals/v2": { attest: attestWithdrawalV2, addPeers: addPeersToExecution },
  "depository-withdrawals/v3": { attest: attestWithdrawalV3, addPeers: addPeersToExecution },
  "withdrawal-initiation/v1": { attest: attestInitiation, addPeers: addPeersToExecution },
  "withdrawal-initiation/v2": { attest: attestInitiationV2, addPeers: addPeersToExecution },
  // This response is not signed.
  "withdrawal-initiated/v1": {
    attest: attestInitiated,
    addPeers: (_context, _call, answer) => Promise.resolve(answer),
  },
  "withdrawal-initiated/v2": {
    attest: attestInitiatedV2,
    addPeers: addPeersTo("payloadParams", PayloadParamsSchema, hashPayloadParams),
  },
  "withdraw-requests/v1": {
    attest: attestWithdrawRequest,
    addPeers: addPeersTo("withdrawRequest", HashesToSignSchema, hashHashesToSign),
  },
  "withdraw-request-authorization/v1": {
    attest: attestAuthorization,
    addPeers: addPeersToResponse(AuthorizationResponseSchema, hashAuthorization),
  },
  "withdraw-and-fill/v1": { attest: attestWithdrawAndFill, addPeers: addPeersToSettlement },
  "withdraw-and-refund/v1": { attest: attestWithdrawAndRefund, addPeers: addPeersToSettlement },
  "transfer/v1": { attest: attestTransfer, addPeers: addPeersToExecution },
  "recover/v1": { attest: attestRecover, addPeers: addPeersToExecution },
  "deposit-address-triggers/v1": {
    attest: attestTrigger,
    addPeers: addPeersTo("trigger", SignedTriggerSchema, hashSignedTrigger),
  },
  "signatures/no-fill-or-refund/v1": { attest: attestNoFill, addPeers: addPeersToEntry },
  "signatures/nonce-mapping/v2": { attest: attestNonceMapping, addPeers: addPeersToEntry },
};

/** Adds the routes. Peers add their signatures if the request has `requestPeerSignatures: true`. */
export function addAttestationRoutes(
  app: OracleApp,
  context: OracleContext,
  hasKey: (request: FastifyRequest) => boolean,
): void {
  for (const route of Object.keys(ATTESTATION_ROUTES) as AttestationRoute[]) addRoute(app, context, route, hasKey);
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- ties the body of a route to its response
function addRoute<Route extends AttestationRoute>(
  app: OracleApp,
  context: OracleContext,
  route: Route,
  hasKey: (request: FastifyRequest) => boolean,
): void {
  const { summary, body: bodySchema, answer: answerSchema } = ATTESTATION_ROUTES[route];
  const { attest, addPeers } = ATTESTERS[route];
  // Stored in a separate variable, because Fastify cannot infer types from a generic schema.
  const schema: FastifySchema = {
    summary,
    body: boundBody(bodySchema),
    response: { 200: answerSchema, 400: RejectionSchema },
  };
  app.post(`/attestations/${route}`, { schema }, async (request): Promise<unknown> => {
    const body = request.body as Body<Route> & { readonly requestPeerSignatures?: boolean };
    const answer = await attest(context, body, hasKey(request));
    if (body.requestPeerSignatures !== true) return answer;
    return addPeers(context, { path: request.url, body: { ...body }, callerKey: keyOf(request) }, answer);
  });
}
