import type { Hex } from "viem";

import { type Action, encodeAction, hashExecution, type SignedExecution } from "@crosscall/protocol/attestation";
import type { AttestationFault } from "./attested.ts";
import { compareFields } from "./compareFields.ts";
import type { TrustedHub } from "./trust.ts";

/** What a response must be, derived independently. */
export interface Derived {
  readonly faults: readonly AttestationFault[];
  /** Undefined if the response has no signature, or the signed data cannot be derived. */
  readonly signed: DerivedSignatures | undefined;
  /** Fields that neither the signatures nor the request determine. */
  readonly unsigned: readonly string[];
}

export interface DerivedSignatures {
  readonly digest: Hex;
  /** Path in the response. */
  readonly path: string;
  readonly domain: { readonly chainId: string; readonly contract: string };
  readonly signatures: readonly GivenSignature[];
}

export interface GivenSignature {
  readonly domain: { readonly chainId: string; readonly contract: string };
  readonly signer: string;
  readonly signature: string;
}

export interface ExpectedExecution {
  readonly idempotencyKey: Hex;
  readonly actions: readonly Action[];
}

/** Compares with the derived execution; undefined if there should be none. */
export function deriveExecution(
  hub: TrustedHub,
  expected: ExpectedExecution | undefined,
  seen: SignedExecution | undefined,
): Pick<Derived, "faults" | "signed"> {
  const execution =
    expected === undefined
      ? undefined
      : { idempotencyKey: expected.idempotencyKey, actions: expected.actions.map(encodeAction) };
  const { idempotencyKey, actions } = seen ?? {};
  const core = seen === undefined ? undefined : { idempotencyKey, actions };
  const faults = compareFields("execution", "execution", execution, core);
  if (execution === undefined || seen === undefined) return { faults, signed: undefined };
  return {
    faults,
    signed: {
      // Of the derived execution, never of the response.
      digest: hashExecution(hub, execution),
      path: "execution.signatures",
      domain: { chainId: hub.evmChainId.toString(), contract: hub.oracleAddress },
      signatures: seen.signatures.map(({ oracleChainId, oracleContract, oracleSigner, signature }) => ({
        domain: { chainId: oracleChainId, contract: oracleContract },
        signer: oracleSigner,
        signature,
      })),
    },
  };
}
