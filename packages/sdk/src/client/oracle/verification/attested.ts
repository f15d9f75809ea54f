import type { Hex } from "viem";

import {
  type Action,
  type AttestationBody,
  type DepositMessage,
  type DepositsAttestation,
  type DepositsBody,
  encodeAction,
  type EntryAttestation,
  type ExecutionAttestation,
  type FillAttestation,
  hashExecution,
  type InitiationAttestation,
  type InitiationV2Attestation,
  type NoFillBody,
  type NonceMappingBody,
  type RefundAttestation,
  type SignedExecution,
  type TransferBody,
  type WithdrawalAttestation,
  type WithdrawalBody,
} from "@crosscall/protocol/attestation";
import type { TrustedHub } from "./trust.ts";

/** An oracle's response with its request. */
export type Attested =
  | Responded<"deposits", DepositsBody, DepositsAttestation>
  | RespondedWithDeposits<"fill", AttestationBody<"solver-fills/v1">, FillAttestation>
  | RespondedWithDeposits<"refund", AttestationBody<"solver-refunds/v1">, RefundAttestation>
  /** Deposits or withdrawals on chains of `ethereum-vm` and `tron-vm`; ids of other families are not derived. */
  | Responded<"withdrawal", WithdrawalBody, WithdrawalAttestation>
  | Responded<"initiation", AttestationBody<"withdrawal-initiation/v1">, InitiationAttestation>
  | Responded<"initiationV2", AttestationBody<"withdrawal-initiation/v2">, InitiationV2Attestation>
  | RespondedWithDeposits<"recovery", AttestationBody<"recover/v1">, ExecutionAttestation>
  | Responded<"transfer", TransferBody, ExecutionAttestation>
  | Responded<"noFill", NoFillBody, EntryAttestation>
  | Responded<"nonceMapping", NonceMappingBody, EntryAttestation>;

/** A response of one kind, with its request. */
export interface Responded<Kind extends string, Request, Answer> {
  readonly kind: Kind;
  readonly request: Request;
  readonly answer: Answer;
}

/** Deposits from verified attestations. */
export interface RespondedWithDeposits<Kind extends string, Request, Answer> extends Responded<Kind, Request, Answer> {
  /** Deposit for each input of the order, from verified attestations. */
  readonly deposits: readonly DepositMessage[];
}

/** Part of a response that the verification compares. */
export type AttestationCheck =
  /** Fields that repeat request fields. */
  | "request"
  /** Fields derived from the request. */
  | "message"
  /** Signed ids, keys and actions. */
  | "execution"
  /** The hub. */
  | "domain"
  /** The signers. */
  | "signature"
  /** Number of trusted signers. */
  | "threshold";

/** Response field with an unexpected value. */
export interface AttestationFault {
  readonly check: AttestationCheck;
  /** Path in the response, such as `execution.signatures[0].signature`. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
}

/** Expected response, derived independently. */
export interface Derived {
  readonly faults: readonly AttestationFault[];
  /** Derived signed data; undefined if the response has no signature, or the data cannot be derived. */
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

/** Compares with the derived execution, which is undefined if none is expected. */
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
      // Digest of the derived execution, never of the response.
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

/** Compares the fields of two objects. An undefined field counts as missing. */
export function compareFields(
  check: AttestationCheck,
  path: string,
  expected: unknown,
  seen: unknown,
): readonly AttestationFault[] {
  if (!isObject(expected) || !isObject(seen) || Array.isArray(expected) !== Array.isArray(seen)) {
    return expected === seen ? [] : [{ check, path, expected: toText(expected), seen: toText(seen) }];
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(seen)]);
  return [...names].flatMap((name) =>
    compareFields(
      check,
      Array.isArray(expected) ? `${path}[${name}]` : `${path}.${name}`,
      Reflect.get(expected, name),
      Reflect.get(seen, name),
    ),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function toText(value: unknown): string {
  if (value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
