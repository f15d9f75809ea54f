import { type Address, type Hex, maxUint256 } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { parseAmount } from "@crosscall/protocol/encoding";
import {
  type AttestationBody,
  decodeEvmWithdrawal,
  expiredWithdrawalExecutionKey,
  hashEvmWithdrawal,
  type InitiationAttestation,
  initiationExecutionKey,
  type InitiationV2Attestation,
  withdrawalAddress,
  type WithdrawalAddressRequest,
  type WithdrawalAttestation,
  type WithdrawalBody,
  withdrawalExecutionKey,
  withdrawnByEvm,
} from "@crosscall/protocol/attestation";
import { compareFields, type Derived, deriveExecution, type ExpectedExecution } from "./attested.ts";
import type { Trust, TrustedChain } from "./trust.ts";

/** Derives withdrawals (spec 5, sections 2 and 8). */
export function deriveWithdrawal(trust: Trust, request: WithdrawalBody, answer: WithdrawalAttestation): Derived {
  const { chainId, withdrawal: payload, transactionId, withdrawalAddressRequest } = request;
  const { vmType } = trust.chain(chainId);
  if (vmType !== "ethereum-vm" && vmType !== "tron-vm") {
    throw new InvalidInputError({
      field: "attested.request.chainId",
      value: chainId,
      reason: `withdrawal ids on ${vmType} chains cannot be derived`,
      hint: "Verify only withdrawals on ethereum-vm and tron-vm chains.",
    });
  }
  const withdrawal = decodeEvmWithdrawal(payload as Hex);
  const withdrawalId = hashEvmWithdrawal(withdrawal);
  const nonceField = "attested.request.withdrawalAddressRequest.withdrawalNonce";
  const account = deriveAccount(trust, withdrawalAddressRequest, nonceField);
  const { amount } = withdrawnByEvm(withdrawal);
  const { status } = answer.message.result;
  const { address, ownerAlias, tokenId, depository } = account;
  const outcomes: Readonly<Record<number, ExpectedExecution>> = {
    1: {
      idempotencyKey: withdrawalExecutionKey(withdrawalId, transactionId),
      actions: [{ type: "burn", from: address, tokenId, amount }],
    },
    2: {
      idempotencyKey: expiredWithdrawalExecutionKey(withdrawalId, transactionId),
      actions: [{ type: "transfer", from: address, to: ownerAlias, tokenId, amount }],
    },
  };
  const { faults, signed } = deriveExecution(trust.hub, outcomes[status], answer.execution);
  const { data, result } = answer.message;
  return {
    faults: [
      ...compareFields("request", "message.data", { chainId, withdrawal: payload, withdrawalAddressRequest }, data),
      ...compareFields("message", "message.result", { withdrawalId, depository, status }, result),
      ...faults,
    ],
    signed,
    unsigned: [],
  };
}

/** Derives the initiation of a withdrawal (spec 5, section 8). */
export function deriveInitiation(
  trust: Trust,
  request: AttestationBody<"withdrawal-initiation/v1">,
  answer: InitiationAttestation,
): Derived {
  const { requestPeerSignatures: _peers, ...echo } = request;
  const { address, ownerAlias, tokenId } = deriveAccount(trust, request, "attested.request.withdrawalNonce");
  const amount = parseAmount(request.expectedAmount, "attested.request.expectedAmount");
  const { faults, signed } = deriveExecution(
    trust.hub,
    {
      idempotencyKey: initiationExecutionKey(trust.hub.id, tokenId, address),
      actions: [{ type: "transfer", from: ownerAlias, to: address, tokenId, amount }],
    },
    answer.execution,
  );
  return {
    faults: [
      ...compareFields("request", "message.data", echo, answer.message.data),
      ...compareFields("message", "message.result", { withdrawalAddress: address }, answer.message.result),
      ...faults,
    ],
    signed,
    unsigned: [],
  };
}

/** Derives the v2 initiation of a withdrawal (spec 5, section 4). */
export function deriveInitiationV2(
  trust: Trust,
  request: AttestationBody<"withdrawal-initiation/v2">,
  answer: InitiationV2Attestation,
): Derived {
  const { chainId, currency, owner, ownerChainId, recipient, nonce, depository } = request;
  const withdrawal = {
    chainId,
    currency,
    recipient,
    depository,
    withdrawer: owner,
    withdrawerChainId: ownerChainId,
    withdrawalNonce: nonce,
  };
  const { address, ownerAlias, tokenId } = deriveAccount(trust, withdrawal, "attested.request.nonce");
  const amount = parseAmount(request.amount, "attested.request.amount");
  const { faults, signed } = deriveExecution(
    trust.hub,
    {
      idempotencyKey: initiationExecutionKey(trust.hub.id, tokenId, address),
      actions: [{ type: "transfer", from: ownerAlias, to: address, tokenId, amount }],
    },
    answer.execution,
  );
  const moved = compareFields("message", "withdrawalAddress", address, answer.withdrawalAddress);
  return { faults: [...moved, ...faults], signed, unsigned: [] };
}

interface WithdrawalAccount {
  /** Account with the balance that is being withdrawn. */
  readonly address: Address;
  readonly ownerAlias: Address;
  readonly tokenId: bigint;
  readonly depository: string;
}

function deriveAccount(
  trust: Trust,
  request: WithdrawalAddressRequest & { readonly depository?: string | undefined },
  nonceField: string,
): WithdrawalAccount {
  const { chainId, currency, withdrawer, withdrawerChainId, recipient, withdrawalNonce } = request;
  const depository = depositoryOf(trust.chain(chainId), request.depository);
  const ownerAlias = trust.alias(withdrawerChainId, withdrawer, "attested.request.withdrawer");
  return {
    address: withdrawalAddress({
      chainId,
      ownerAlias,
      nonce: parseNonce(withdrawalNonce, nonceField),
      depository: trust.encode(chainId, depository, "chains.depositories"),
      currency: trust.encode(chainId, currency, "attested.request.currency"),
      recipient: trust.encode(chainId, recipient, "attested.request.recipient"),
    }),
    ownerAlias,
    tokenId: trust.token(chainId, currency, "attested.request.currency"),
    depository,
  };
}

/** Oracles accept hex and decimal numbers. */
function parseNonce(text: string, field: string): bigint {
  if (/^(0x[0-9a-fA-F]+|[0-9]+)$/u.test(text)) {
    const nonce = BigInt(text);
    if (nonce <= maxUint256) return nonce;
  }
  throw new InvalidInputError({
    field,
    value: text,
    reason: "it must be a 32-byte number",
    hint: "Pass the request's nonce as hex or decimal.",
  });
}

/** Returns the requested depository, or the first, as written in the configuration. */
function depositoryOf({ depositories }: TrustedChain, asked: string | undefined): string {
  const found = depositories.find((depository) => asked === undefined || isSameAddress(depository, asked));
  if (found !== undefined) return found;
  throw new InvalidInputError({
    field: "attested.request.depository",
    value: asked,
    reason: "it is not a depository of the chain",
    hint: "Pass the chain with all its depositories, the primary one first.",
  });
}
