import type { Hex } from "viem";

import { type Action, encodeAction, type SignedExecution } from "@crosscall/protocol/attestation";
import type { OracleContext } from "../oracleContext.ts";

export interface ExecutionDraft {
  readonly idempotencyKey: Hex;
  readonly actions: readonly Action[];
  /** Origins of the tokens that actions mint, if the response contains them. */
  readonly origins?: readonly TokenOrigin[];
}

interface TokenOrigin {
  readonly tokenId: bigint;
  readonly address: string;
  readonly chainId: string;
  readonly family: string;
}

/** An execution without signatures, and its digest. */
export interface PreparedExecution {
  readonly execution: Omit<SignedExecution, "signatures">;
  readonly digest: Hex;
}

export async function signExecution(context: OracleContext, draft: ExecutionDraft): Promise<SignedExecution> {
  return signPrepared(context, prepareExecution(context, draft));
}

export function prepareExecution(context: OracleContext, draft: ExecutionDraft): PreparedExecution {
  const execution = { idempotencyKey: draft.idempotencyKey, actions: draft.actions.map(encodeAction) };
  const digest = context.hashExecution(execution);
  if (draft.origins === undefined) return { execution, digest };
  const metadata = draft.origins.map(({ tokenId, ...origin }) => ({
    hubTokenId: tokenId.toString(),
    origin,
    ...contractOf(context),
  }));
  return { execution: { ...execution, metadata }, digest };
}

export async function signPrepared(
  context: OracleContext,
  { execution, digest }: PreparedExecution,
): Promise<SignedExecution> {
  return { ...execution, signatures: [{ ...contractOf(context), ...(await signDigest(context, digest)) }] };
}

function contractOf({ hub }: OracleContext) {
  return { oracleChainId: hub.evmChainId.toString(), oracleContract: hub.oracleAddress };
}

interface OwnSignature {
  readonly oracleSigner: string;
  readonly signature: string;
}

export async function signDigest({ signer }: OracleContext, digest: Hex): Promise<OwnSignature> {
  return { oracleSigner: signer.address, signature: await signer.sign(digest) };
}
