import { type Address, hashTypedData, type Hex } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import {
  type EntryAttestation,
  genericMappingDomain,
  type MappingEntry,
  noFillEntry,
  nonceMappingEntry,
  recoverExecutionKey,
  SET_ENTRY_TYPES,
} from "@crosscall/protocol/attestation";
import { type Attested, compareFields, type Derived, deriveExecution } from "./attested.ts";
import { deriveCredit } from "./deriveDeposits.ts";
import type { Trust } from "./trust.ts";

type AttestedEntry = Extract<Attested, { kind: "noFill" | "nonceMapping" }>;

/** Derives an entry of the hub's generic mapping (spec 5, section 2). */
export function deriveEntry(trust: Trust, attested: AttestedEntry): Derived {
  const entry = entryOf(trust, attested);
  const { evmChainId, genericMappingAddress } = trust.hub;
  if (genericMappingAddress === undefined) {
    throw new InvalidInputError({
      field: "hub.genericMappingAddress",
      value: undefined,
      reason: "entries of the generic mapping require the address of its contract",
      hint: "Pass the contract's address.",
    });
  }
  const { signatures, ...seen }: EntryAttestation["genericMapping"] = attested.answer.genericMapping;
  return {
    faults: compareFields("execution", "genericMapping", entry, seen),
    signed: {
      digest: hashTypedData({
        domain: genericMappingDomain(evmChainId, genericMappingAddress),
        types: SET_ENTRY_TYPES,
        primaryType: "SetEntry",
        message: { ...entry },
      }),
      path: "genericMapping.signatures",
      domain: { chainId: evmChainId.toString(), contract: genericMappingAddress },
      signatures: signatures.map(({ genericMappingChainId, genericMappingContract, oracleSigner, signature }) => ({
        domain: { chainId: genericMappingChainId, contract: genericMappingContract },
        signer: oracleSigner,
        signature,
      })),
    },
    unsigned: [],
  };
}

function entryOf(trust: Trust, attested: AttestedEntry): MappingEntry {
  switch (attested.kind) {
    case "noFill": {
      const { solverChainId, solver, orderId } = attested.request;
      return noFillEntry(trust.alias(solverChainId, solver, "attested.request.solver"), orderId as Hex);
    }
    case "nonceMapping": {
      const { walletChainId, wallet, nonce, id, depositor } = attested.request;
      const user = trust.alias(walletChainId, wallet, "attested.request.wallet");
      return nonceMappingEntry({ user, nonce, id: id as Hex, depositor: depositor as Address });
    }
  }
}

/** Derives the return of a deposit to its depositor on the hub (spec 5, section 2). */
export function deriveRecovery(
  trust: Trust,
  { request, answer, deposits }: Extract<Attested, { kind: "recovery" }>,
): Derived {
  const { chainId, transactionId, onchainId } = request;
  const deposit = deposits.find(
    ({ data, result }) =>
      data.chainId === chainId && data.transactionId === transactionId && result.onchainId === onchainId,
  );
  if (deposit === undefined) {
    throw new InvalidInputError({
      field: "attested.deposits",
      value: undefined,
      reason: "the requested deposit is missing",
      hint: "Pass the oracle's attestation of the deposit that the request names.",
    });
  }
  const { account, tokenId, amount } = deriveCredit(trust, deposit, "deposits[0]");
  const to = trust.alias(chainId, deposit.result.depositor, "deposits[0].result.depositor");
  const expected = {
    idempotencyKey: recoverExecutionKey(onchainId as Hex),
    actions: [{ type: "transfer", from: account, to, tokenId, amount } as const],
  };
  return { ...deriveExecution(trust.hub, expected, answer.execution), unsigned: [] };
}
