import * as Type from "typebox";

import { RequestPeerSignatures } from "./requestParts.ts";

export const NoFillBodySchema = Type.Object({
  solverChainId: Type.String(),
  solver: Type.String(),
  orderId: Type.String(),
  signature: Type.String({ description: "Of the solver." }),
  requestPeerSignatures: RequestPeerSignatures,
});

export type NoFillBody = Type.Static<typeof NoFillBodySchema>;

export const NonceMappingBodySchema = Type.Object({
  walletChainId: Type.String(),
  wallet: Type.String(),
  nonce: Type.String({ description: "Decimal." }),
  id: Type.String({ description: "32 bytes." }),
  depositor: Type.String(),
  signatureChainId: Type.String({ description: "The chain that the wallet signed for." }),
  signature: Type.String({ description: "Of the wallet." }),
  requestPeerSignatures: RequestPeerSignatures,
});

export type NonceMappingBody = Type.Static<typeof NonceMappingBodySchema>;

export const SignedEntrySchema = Type.Object({
  user: Type.String(),
  id: Type.String(),
  data: Type.String(),
  nonce: Type.String(),
  signatures: Type.Array(
    Type.Object({
      genericMappingChainId: Type.String({ description: "The hub's EVM chain id, decimal." }),
      genericMappingContract: Type.String(),
      oracleSigner: Type.String(),
      signature: Type.String(),
    }),
  ),
});

export type SignedEntry = Type.Static<typeof SignedEntrySchema>;

export const EntryAnswerSchema = Type.Object({ genericMapping: SignedEntrySchema });

export type EntryAttestation = Type.Static<typeof EntryAnswerSchema>;
