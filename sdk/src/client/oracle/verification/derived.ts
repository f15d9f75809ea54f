import type { Hex } from "viem";

import { type Action, encodeAction } from "../../../protocol/attestation/action.ts";
import { hashExecution } from "../../../protocol/attestation/execution.ts";
import type { SignedExecution } from "../../../protocol/attestation/messages/execution.ts";
import type { AttestationFault } from "./attested.ts";
import { compareFields } from "./compareFields.ts";
import type { TrustedHub } from "./trust.ts";

/** What an answer must be, derived anew, beside what it is. */
export interface Derived {
  readonly faults: readonly AttestationFault[];
  /** Undefined where the answer has nothing that is signed, or what should be signed cannot be derived. */
  readonly signed: DerivedSignatures | undefined;
  /** Fields that nothing holds: neither what is signed nor what was asked. */
  readonly unsigned: readonly string[];
}

/** What should have been signed, and the signatures that there are. */
export interface DerivedSignatures {
  readonly digest: Hex;
  /** Where they stand in the answer. */
  readonly path: string;
  readonly domain: { readonly chainId: string; readonly contract: string };
  readonly signatures: readonly GivenSignature[];
}

/** A signature of an answer, whatever is signed. */
export interface GivenSignature {
  readonly domain: { readonly chainId: string; readonly contract: string };
  readonly signer: string;
  readonly signature: string;
}

/** What an execution must be. */
export interface ExpectedExecution {
  readonly idempotencyKey: Hex;
  readonly actions: readonly Action[];
}

/** Holds the execution of an answer against the one that derives; undefined where there should be none. */
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
      // Of what derives, never of what the answer says.
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
