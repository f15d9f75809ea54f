import type { Address, Client, Hex } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { CrosscallError, InvalidInputError } from "@crosscall/protocol/core";
import { parseAmount } from "@crosscall/protocol/encoding";
import { type ExecutionAttestation, type TransferBody, transferExecutionKey } from "@crosscall/protocol/attestation";
import { type AttestationFault, type Attested, type Derived, deriveExecution } from "./verification/attested.ts";
import { countSigners } from "./verification/countSigners.ts";
import { deriveDeposits } from "./verification/deriveDeposits.ts";
import { deriveEntry, deriveRecovery } from "./verification/deriveEntry.ts";
import { deriveSettlement } from "./verification/deriveSettlement.ts";
import { deriveInitiation, deriveInitiationV2, deriveWithdrawal } from "./verification/deriveWithdrawal.ts";
import { createTrust, type Trust, type TrustedChain, type TrustedHub } from "./verification/trust.ts";

/** An oracle's response is not a valid attestation. */
export class AttestationInvalidError extends CrosscallError {
  readonly code = "ATTESTATION_INVALID";
  /** The kind of attestation. */
  declare readonly kind: Attested["kind"];
  /** All faults, each with the check that failed. */
  declare readonly faults: readonly [AttestationFault, ...AttestationFault[]];

  constructor({ kind, faults }: Pick<AttestationInvalidError, "kind" | "faults">) {
    const [{ check, path, expected, seen }] = faults;
    super(
      {
        message: `the attestation (${kind}) is invalid: ${path} is ${seen} instead of ${expected} (${check}), ${faults.length} faults in total`,
        hint: "Do not use it. Check the trusted signers, hub and chains, and request it from another oracle.",
      },
      { kind, faults },
    );
  }
}

/**
 * Like `verifyAttestation`, but throws if the attestation is invalid.
 * @throws {@link AttestationInvalidError} with all faults
 */
export async function requireAttestation(parameters: VerifyAttestationParameters): Promise<AttestationVerification> {
  const verification = await verifyAttestation(parameters);
  const [first, ...others] = verification.faults;
  if (first === undefined) return verification;
  throw new AttestationInvalidError({ kind: parameters.attested.kind, faults: [first, ...others] });
}

/** Parameters of `verifyAttestation`. */
export interface VerifyAttestationParameters {
  /** Response with its request. */
  readonly attested: Attested;
  /** The attestation's hub. */
  readonly hub: TrustedHub;
  /** The attestation's chains. */
  readonly chains: readonly TrustedChain[];
  /** The trusted oracles. */
  readonly signers: readonly string[];
  /** Required number of trusted signatures. */
  readonly threshold: number;
  /** Client for the chain with signers' wallet contracts (ERC-1271). Without it, only keys are supported. */
  readonly client?: Client;
  readonly signal?: AbortSignal | undefined;
}

/** Result of verifying an attestation. */
export interface AttestationVerification {
  /** Whether there are no faults and enough trusted oracles signed. */
  readonly isValid: boolean;
  /** All faults, each with the check that failed. */
  readonly faults: readonly AttestationFault[];
  /** Trusted signers without duplicates, in lower case and ascending order. */
  readonly signers: readonly Address[];
  /** Other valid signers. */
  readonly strangers: readonly Address[];
  /** Derived digest; undefined if nothing should be signed, or the digest cannot be derived. */
  readonly digest: Hex | undefined;
  /** Fields that neither the signatures nor the request determine, so that only the oracle claims them. */
  readonly unsigned: readonly string[];
}

/**
 * Verifies an oracle's response without trusting it: derives ids, accounts, keys and actions from the request (spec 5,
 * section 2), and recovers who signed them for this hub. A failed check is a result, not an error. A response without
 * an execution, such as a pending withdrawal, proves nothing and is invalid. You still trust the oracles for the facts
 * on the chains.
 * @throws {@link InvalidInputError} when the request itself is invalid, or `chains` lacks one of its chains
 * @throws {@link MalformedDataError} when the payload of a withdrawal in the request is invalid
 * @throws {@link ChainError} when a signer's wallet cannot be called
 */
export async function verifyAttestation(parameters: VerifyAttestationParameters): Promise<AttestationVerification> {
  rejectUnknownOptions(parameters, { attested: 1, hub: 1, chains: 1, signers: 1, threshold: 1, client: 1, signal: 1 });
  const { attested, hub, chains, threshold, client, signal } = parameters;
  const signers = parameters.signers.map(
    (signer, index) => parseEvmAddress(signer, `signers[${index}]`).toLowerCase() as Address,
  );
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > new Set(signers).size) {
    throw new InvalidInputError({
      field: "threshold",
      value: threshold,
      reason: "it must be between 1 and the number of signers",
      hint: "Pass the required number of signers.",
    });
  }
  const { faults, signed, unsigned } = derive(createTrust(hub, chains), attested);
  const counted =
    signed === undefined
      ? { faults: [], trusted: [], strangers: [] }
      : await countSigners(signed, signers, { client, signal });
  const all = [...faults, ...counted.faults];
  if (counted.trusted.length < threshold) {
    const [path, seen] = [signed?.path ?? "execution", String(counted.trusted.length)];
    all.push({ check: "threshold", path, expected: `${threshold} of the trusted signers`, seen });
  }
  return {
    isValid: all.length === 0,
    faults: all,
    signers: counted.trusted,
    strangers: counted.strangers,
    digest: signed?.digest,
    unsigned,
  };
}

function derive(trust: Trust, attested: Attested): Derived {
  try {
    return deriveResponse(trust, attested);
  } catch (error) {
    // A malformed response is a fault, because the caller passed everything else.
    if (!(error instanceof InvalidInputError) || !error.field.startsWith("messages[")) throw error;
    const { field: path, value: seen = "nothing", reason } = error;
    const fault = { check: "message", path, expected: `another value: ${reason}`, seen } as const;
    return { faults: [fault], signed: undefined, unsigned: [] };
  }
}

function deriveResponse(trust: Trust, attested: Attested): Derived {
  switch (attested.kind) {
    case "deposits":
      return deriveDeposits(trust, attested.request, attested.answer);
    case "fill":
    case "refund":
      return deriveSettlement(trust, attested);
    case "withdrawal":
      return deriveWithdrawal(trust, attested.request, attested.answer);
    case "initiation":
      return deriveInitiation(trust, attested.request, attested.answer);
    case "initiationV2":
      return deriveInitiationV2(trust, attested.request, attested.answer);
    case "recovery":
      return deriveRecovery(trust, attested);
    case "transfer":
      return deriveTransfer(trust, attested.request, attested.answer);
    case "noFill":
    case "nonceMapping":
      return deriveEntry(trust, attested);
  }
}

/** Derives a transfer (spec 5, section 2). */
function deriveTransfer(trust: Trust, request: TransferBody, answer: ExecutionAttestation): Derived {
  const { chainId, currency, ownerChainId, owner, nonce } = request;
  const from = trust.alias(ownerChainId, owner, "attested.request.owner");
  const to = parseEvmAddress(request.recipient.toLowerCase(), "attested.request.recipient");
  const amount = parseAmount(request.amount, "attested.request.amount");
  const tokenId = trust.token(chainId, currency, "attested.request.currency");
  const expected = {
    idempotencyKey: transferExecutionKey(trust.hub.id, tokenId, { from, to, nonce }),
    actions: [{ type: "transfer", from, to, tokenId, amount } as const],
  };
  return { ...deriveExecution(trust.hub, expected, answer.execution), unsigned: [] };
}
