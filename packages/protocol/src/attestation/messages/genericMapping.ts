import { doc } from "#doc";
import type * as Type from "typebox";

import { RequestPeerSignatures } from "./requestParts.ts";
import * as T from "../../schema/type.ts";

export const NoFillBodySchema = T.Object({
  solverChainId: T.String(),
  solver: T.String(),
  orderId: T.String(),
  signature: T.String({ description: doc("Of the solver.") }),
  requestPeerSignatures: RequestPeerSignatures,
});

export type NoFillBody = Type.Static<typeof NoFillBodySchema>;

export const NonceMappingBodySchema = T.Object({
  walletChainId: T.String(),
  wallet: T.String(),
  nonce: T.String({ description: doc("Decimal.") }),
  id: T.String({ description: doc("32 bytes.") }),
  depositor: T.String(),
  signatureChainId: T.String({ description: doc("The chain that the wallet signed for.") }),
  signature: T.String({ description: doc("Of the wallet.") }),
  requestPeerSignatures: RequestPeerSignatures,
});

export type NonceMappingBody = Type.Static<typeof NonceMappingBodySchema>;

export const SignedEntrySchema = T.Object({
  user: T.String(),
  id: T.String(),
  data: T.String(),
  nonce: T.String(),
  signatures: T.Array(
    T.Object({
      genericMappingChainId: T.String({ description: doc("The hub's EVM chain id, decimal.") }),
      genericMappingContract: T.String(),
      oracleSigner: T.String(),
      signature: T.String(),
    }),
  ),
});

export type SignedEntry = Type.Static<typeof SignedEntrySchema>;

export const EntryAnswerSchema = T.Object({ genericMapping: SignedEntrySchema });

export type EntryAttestation = Type.Static<typeof EntryAnswerSchema>;
