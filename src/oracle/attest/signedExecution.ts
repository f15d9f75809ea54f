import type { Hex } from "viem";

import { type Action, encodeAction } from "@crosscall/sdk/internal/protocol/attestation/action";
import type { OracleContext } from "../oracleContext.ts";
import type { SignedExecution } from "@crosscall/sdk/internal/protocol/attestation/messages/execution";
import { signDigest } from "./signDigest.ts";

export interface ExecutionDraft {
  readonly idempotencyKey: Hex;
  readonly actions: readonly Action[];
  /** For actions that mint, if the response contains it. */
  readonly origins?: readonly TokenOrigin[];
}

export interface TokenOrigin {
  readonly tokenId: bigint;
  readonly address: string;
  readonly chainId: string;
  readonly family: string;
}

export async function signExecution(context: OracleContext, draft: ExecutionDraft): Promise<SignedExecution> {
  const { hub } = context;
  const execution = { idempotencyKey: draft.idempotencyKey, actions: draft.actions.map(encodeAction) };
  const oracle = { oracleChainId: hub.evmChainId.toString(), oracleContract: hub.oracleAddress };
  const signature = await signDigest(context, context.hashExecution(execution));
  return {
    ...execution,
    signatures: [{ ...oracle, ...signature }],
    ...(draft.origins === undefined
      ? {}
      : {
          metadata: draft.origins.map(({ tokenId, ...origin }) => ({
            hubTokenId: tokenId.toString(),
            origin,
            ...oracle,
          })),
        }),
  };
}
