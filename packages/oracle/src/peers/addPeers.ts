import type { TSchema } from "typebox";
import type { Hex } from "viem";

import { type SignedExecution, SignedExecutionSchema } from "@crosscall/protocol/attestation";
import type { OracleContext } from "../oracleContext.ts";
import { judgeMessage, type SignedMessage } from "./judgeMessage.ts";
import type { PeerCall } from "./peers.ts";

/** Adds the signatures of peers to a response. */
export type AddPeers<Answer> = (context: OracleContext, call: PeerCall, answer: Answer) => Promise<Answer>;

/** Computes our digest of a message from the response. */
export type HashMessage<Message> = (context: OracleContext, message: Message) => Hex;

/** A response without execution stays as it is. */
export async function addPeersToExecution<Answer extends { readonly execution?: SignedExecution }>(
  context: OracleContext,
  call: PeerCall,
  answer: Answer,
): Promise<Answer> {
  const { execution } = answer;
  if (execution === undefined) return answer;
  return {
    ...answer,
    execution: await withPeers(context, call, {
      message: execution,
      schema: SignedExecutionSchema,
      digest: hashSignedExecution(context, execution),
      messageOf: (theirs) => fieldOf(theirs, "execution"),
    }),
  };
}

export function hashSignedExecution(context: OracleContext, { idempotencyKey, actions }: SignedExecution): Hex {
  return context.hashExecution({ idempotencyKey: idempotencyKey as Hex, actions: actions as Hex[] });
}

export function addPeersTo<Name extends string, Message extends SignedMessage>(
  name: Name,
  schema: TSchema,
  hash: HashMessage<Message>,
): AddPeers<Record<Name, Message>> {
  return async (context, call, answer) => {
    const message = answer[name];
    const messageOf = (theirs: unknown): unknown => fieldOf(theirs, name);
    const signed = await withPeers(context, call, { message, schema, digest: hash(context, message), messageOf });
    return { ...answer, [name]: signed };
  };
}

export function addPeersToAnswer<Answer extends SignedMessage>(
  schema: TSchema,
  hash: HashMessage<Answer>,
): AddPeers<Answer> {
  return (context, call, message) =>
    withPeers(context, call, { message, schema, digest: hash(context, message), messageOf: (theirs) => theirs });
}

interface PeersOf<Message extends SignedMessage> {
  readonly message: Message;
  readonly schema: TSchema;
  readonly digest: Hex;
  readonly messageOf: (theirs: unknown) => unknown;
}

async function withPeers<Message extends SignedMessage>(
  { peers, signer }: OracleContext,
  call: PeerCall,
  { message, schema, digest, messageOf }: PeersOf<Message>,
): Promise<Message> {
  const judgement = { schema, own: message, digest, ownSigner: signer.address };
  const signatures = await peers.collect(call, (theirs) => judgeMessage(judgement, messageOf(theirs)));
  return { ...message, signatures: [...message.signatures, ...signatures] };
}

export function fieldOf(answer: unknown, name: string): unknown {
  return typeof answer === "object" && answer !== null ? (Reflect.get(answer, name) as unknown) : undefined;
}
