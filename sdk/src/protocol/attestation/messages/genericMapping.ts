import * as Type from "typebox";

import { RequestPeerSignatures } from "./requestParts.ts";

/** Schema of the body of `POST /attestations/signatures/no-fill-or-refund/v1`. */
export const NoFillBodySchema = Type.Object({
  solverChainId: Type.String(),
  solver: Type.String(),
  orderId: Type.String(),
  signature: Type.String({ description: "Of the solver." }),
  requestPeerSignatures: RequestPeerSignatures,
});

/** A solver's word that it neither filled nor refunded an order. */
export type NoFillBody = Type.Static<typeof NoFillBodySchema>;

/** Schema of the body of `POST /attestations/signatures/nonce-mapping/v2`. */
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

/** A wallet's word that binds its nonce to an id. */
export type NonceMappingBody = Type.Static<typeof NonceMappingBodySchema>;

/** Schema of an entry of the generic mapping with the signatures of oracles. */
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

/** An entry of the generic mapping with the signatures of oracles. */
export type SignedEntry = Type.Static<typeof SignedEntrySchema>;

/** Schema of the answers that hold such an entry. */
export const EntryAnswerSchema = Type.Object({ genericMapping: SignedEntrySchema });

/** An entry, attested. */
export type EntryAttestation = Type.Static<typeof EntryAnswerSchema>;
