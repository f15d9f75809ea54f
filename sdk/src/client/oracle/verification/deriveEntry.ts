import { type Address, hashTypedData, type Hex } from "viem";

import { InvalidInputError } from "../../../core/errors.ts";
import {
  genericMappingDomain,
  type MappingEntry,
  noFillEntry,
  nonceMappingEntry,
  SET_ENTRY_TYPES,
} from "../../../protocol/attestation/genericMapping.ts";
import type { EntryAttestation } from "../../../protocol/attestation/messages/genericMapping.ts";
import type { Attested } from "./attested.ts";
import { compareFields } from "./compareFields.ts";
import type { Derived } from "./derived.ts";
import type { Trust } from "./trust.ts";

type AttestedEntry = Extract<Attested, { kind: "noFill" | "nonceMapping" }>;

/** Spec 5, section 2. */
export function deriveEntry(trust: Trust, attested: AttestedEntry): Derived {
  const entry = entryOf(trust, attested);
  const { evmChainId, genericMappingAddress } = trust.hub;
  if (genericMappingAddress === undefined) {
    throw new InvalidInputError({
      field: "hub.genericMappingAddress",
      value: undefined,
      reason: "entries of the generic mapping are signed for its contract",
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
