import type { FastifyRequest, FastifySchema } from "fastify";
import type { Static, TObject, TSchema } from "typebox";

import type { OracleContext } from "../oracleContext.ts";
import type { AddPeers } from "../peers/addPeers.ts";
import { keyOf } from "./access.ts";
import { RefusalSchema } from "./errors.ts";
import type { OracleRoute } from "./route.ts";

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

/** A route whose answer peers add their signatures to, where the caller asks for it. */
export function attestationRoute<Body extends TObject, Answer extends TSchema>(
  { path, summary, body: bodySchema, answer: answerSchema, attest }: AttestationRoute<Body, Answer>,
  addPeers: AddPeers<Static<Answer>>,
  hasKey: (request: FastifyRequest) => boolean,
): OracleRoute {
  // Typed apart from the route, since the types of a route cannot follow a schema that is a parameter.
  const schema: FastifySchema = { summary, body: bodySchema, response: { 200: answerSchema, 400: RefusalSchema } };
  return (app, context) => {
    app.post(path, { schema }, async (request): Promise<unknown> => {
      const body = request.body as Static<Body>;
      const answer = await attest(context, body, hasKey(request));
      if ((body as PeerQuestion).requestPeerSignatures !== true) return answer;
      const call = { path: request.url, body: { ...(body as object) }, callerKey: keyOf(request) };
      return addPeers(context, call, answer);
    });
  };
}
