import type { FastifyRequest, FastifySchema } from "fastify";
import type { Static, TObject, TSchema } from "typebox";

import type { OracleContext } from "../oracleContext.ts";
import { judgeExecution } from "../peers/judgeExecution.ts";
import { keyOf } from "./access.ts";
import { RefusalSchema } from "./errors.ts";
import type { OracleRoute } from "./route.ts";
import type { SignedExecution } from "./schemas/execution.ts";

/** What an attestation route is made of. */
export interface AttestationRoute<Body extends TObject, Answer extends TSchema> {
  readonly path: string;
  readonly summary: string;
  readonly body: Body;
  readonly answer: Answer;
  /** @param hasKey whether the caller has a valid key */
  readonly attest: (context: OracleContext, body: Static<Body>, hasKey: boolean) => Promise<Static<Answer>>;
}

interface PeerQuestion {
  readonly requestPeerSignatures?: boolean;
}

interface WithExecution {
  readonly execution?: SignedExecution;
}

/** A route whose answer may hold an execution, to which peers add their signatures where the caller asks for it. */
export function executionRoute<Body extends TObject, Answer extends TSchema>(
  route: AttestationRoute<Body, Answer>,
  hasKey: (request: FastifyRequest) => boolean,
): OracleRoute {
  const { path, summary, body: bodySchema, answer: answerSchema } = route;
  // Typed apart from the route, since the types of a route cannot follow a schema that is a parameter.
  const schema: FastifySchema = { summary, body: bodySchema, response: { 200: answerSchema, 400: RefusalSchema } };
  return (app, context) => {
    app.post(path, { schema }, async (request): Promise<unknown> => {
      const body = request.body as Static<Body>;
      const answer = await route.attest(context, body, hasKey(request));
      return addPeers(context, request, body as PeerQuestion, answer as WithExecution);
    });
  };
}

async function addPeers<Answer extends WithExecution>(
  context: OracleContext,
  request: FastifyRequest,
  body: PeerQuestion,
  answer: Answer,
): Promise<Answer> {
  const { execution } = answer;
  if (body.requestPeerSignatures !== true || execution === undefined) return answer;
  const call = { path: request.url, body: { ...body }, callerKey: keyOf(request) };
  const signatures = await context.peers.collect(call, (theirs) =>
    judgeExecution(context, execution, (theirs as WithExecution | null)?.execution),
  );
  return { ...answer, execution: { ...execution, signatures: [...execution.signatures, ...signatures] } };
}
