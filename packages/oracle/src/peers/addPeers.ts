import type { TSchema } from "typebox";
import type { Hex } from "viem";

import {
  type ExecuteAndWithdrawAttestation,
  ExecuteAndWithdrawRequestSchema,
  type SignedExecuteAndWithdrawRequest,
  type SignedExecution,
  SignedExecutionSchema,
} from "@crosscall/protocol/attestation";
import { hashExecuteAndWithdraw } from "../attest/executeAndWithdraw.ts";
import type { OracleContext } from "../oracleContext.ts";
import { judgeMessage, type SignedMessage } from "./judgeMessage.ts";
import type { PeerCall, PeerVerdict } from "./peers.ts";

/** Adds the signatures of peers to a response. */
export type AddPeers<Answer> = (context: OracleContext, call: PeerCall, answer: Answer) => Promise<Answer>;

/** Returns this oracle's digest of the response's message. */
type HashMessage<Message> = (context: OracleContext, message: Message) => Hex;

/** Returns a response without execution unchanged. */
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

function hashSignedExecution(context: OracleContext, { idempotencyKey, actions }: SignedExecution): Hex {
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

export function addPeersToResponse<Answer extends SignedMessage>(
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

function fieldOf(answer: unknown, name: string): unknown {
  return typeof answer === "object" && answer !== null ? (Reflect.get(answer, name) as unknown) : undefined;
}

interface SignaturePair {
  readonly oracleSigner: string;
  readonly execution: SignedExecution["signatures"][number];
  readonly request: SignedExecuteAndWithdrawRequest["signatures"][number];
}

/** Adds the signatures of peers that signed both messages, because the hub accepts one set of signers for both. */
export async function addPeersToSettlement(
  context: OracleContext,
  call: PeerCall,
  answer: ExecuteAndWithdrawAttestation,
): Promise<ExecuteAndWithdrawAttestation> {
  const { execution, executeAndWithdrawRequest: request } = answer;
  if (execution === undefined) return answer;
  const ownSigner = context.signer.address;
  const ofExecution = {
    schema: SignedExecutionSchema,
    own: execution,
    digest: hashSignedExecution(context, execution),
    ownSigner,
  };
  const ofRequest = {
    schema: ExecuteAndWithdrawRequestSchema,
    own: request,
    digest: hashExecuteAndWithdraw(context, request),
    ownSigner,
  };
  const judge = async (theirs: unknown): Promise<PeerVerdict<SignaturePair>> => {
    const [executions, requests] = await Promise.all([
      judgeMessage(ofExecution, fieldOf(theirs, "execution")),
      judgeMessage(ofRequest, fieldOf(theirs, "executeAndWithdrawRequest")),
    ]);
    if (!executions.isAgreed) return executions;
    if (!requests.isAgreed) return requests;
    const signatures = executions.signatures.flatMap((signature): SignaturePair[] => {
      const oracleSigner = signature.oracleSigner.toLowerCase();
      const other = requests.signatures.find((candidate) => candidate.oracleSigner.toLowerCase() === oracleSigner);
      return other === undefined ? [] : [{ oracleSigner, execution: signature, request: other }];
    });
    return signatures.length === 0 ? { isAgreed: false, failure: "forged" } : { isAgreed: true, signatures };
  };
  const pairs = await context.peers.collect(call, judge);
  return {
    executeAndWithdrawRequest: {
      ...request,
      signatures: [...request.signatures, ...pairs.map((pair) => pair.request)],
    },
    execution: { ...execution, signatures: [...execution.signatures, ...pairs.map((pair) => pair.execution)] },
  };
}
