import * as Type from "typebox";

import { SignedExecutionSchema } from "./execution.ts";
import { RequestPeerSignatures } from "./requestParts.ts";

const addressRequest = {
  chainId: Type.String({ description: "The chain to withdraw on, by its name in orders." }),
  currency: Type.String(),
  withdrawer: Type.String({ description: "Who owns the balance." }),
  withdrawerChainId: Type.String({ description: "The chain of the withdrawer's address." }),
  recipient: Type.String(),
  withdrawalNonce: Type.String({ description: "32 bytes." }),
};

/** Schema of what the account of a withdrawal is derived from. */
export const WithdrawalAddressRequestSchema = Type.Object(addressRequest);

/** What the account of a withdrawal is derived from. */
export type WithdrawalAddressRequest = Type.Static<typeof WithdrawalAddressRequestSchema>;

/** Schema of the body of `POST /attestations/depository-withdrawals/v1`. */
export const WithdrawalBodySchema = Type.Object({
  chainId: Type.String({ description: "The chain's name in orders." }),
  withdrawal: Type.String({ description: "The payload that the depository is asked with, encoded." }),
  transactionId: Type.Optional(Type.String()),
  withdrawalAddressRequest: WithdrawalAddressRequestSchema,
  requestPeerSignatures: RequestPeerSignatures,
});

/** A withdrawal to attest. */
export type WithdrawalBody = Type.Static<typeof WithdrawalBodySchema>;

/** Schema of the answer of `POST /attestations/depository-withdrawals/v1`. */
export const WithdrawalAnswerSchema = Type.Object({
  message: Type.Object({
    data: Type.Object({
      chainId: Type.String(),
      withdrawal: Type.String(),
      withdrawalAddressRequest: WithdrawalAddressRequestSchema,
    }),
    result: Type.Object({
      withdrawalId: Type.String(),
      depository: Type.String(),
      status: Type.Number({ description: "0 pending, 1 executed, 2 expired." }),
    }),
  }),
  execution: Type.Optional(SignedExecutionSchema),
});

/** A withdrawal, attested. */
export type WithdrawalAttestation = Type.Static<typeof WithdrawalAnswerSchema>;

const initiatedFields = {
  settlementChainId: Type.String({ description: "The hub's own name." }),
  expectedAmount: Type.String({ description: "In the smallest unit." }),
  ...addressRequest,
};

/** Schema of the body of `POST /attestations/withdrawal-initiated/v1`. */
export const InitiatedBodySchema = Type.Object({ ...initiatedFields, requestPeerSignatures: RequestPeerSignatures });

/** A withdrawal whose balance is to be attested. */
export type InitiatedBody = Type.Static<typeof InitiatedBodySchema>;

/** Schema of the answer of `POST /attestations/withdrawal-initiated/v1`. */
export const InitiatedAnswerSchema = Type.Object({
  message: Type.Object({
    data: Type.Object(initiatedFields),
    result: Type.Object({ proofOfWithdrawalAddressBalance: Type.String(), withdrawalAddress: Type.String() }),
  }),
});

/** A withdrawal's balance, attested. */
export type InitiatedAttestation = Type.Static<typeof InitiatedAnswerSchema>;

const initiationFields = {
  ...initiatedFields,
  signature: Type.String({ description: "Of the withdrawer, over the withdrawal's account, amount and nonce." }),
};

/** Schema of the body of `POST /attestations/withdrawal-initiation/v1`. */
export const InitiationBodySchema = Type.Object({ ...initiationFields, requestPeerSignatures: RequestPeerSignatures });

/** A withdrawal to initiate. */
export type InitiationBody = Type.Static<typeof InitiationBodySchema>;

/** Schema of the answer of `POST /attestations/withdrawal-initiation/v1`. */
export const InitiationAnswerSchema = Type.Object({
  message: Type.Object({
    data: Type.Object(initiationFields),
    result: Type.Object({ withdrawalAddress: Type.String() }),
  }),
  execution: Type.Optional(SignedExecutionSchema),
});

/** The initiation of a withdrawal, attested. */
export type InitiationAttestation = Type.Static<typeof InitiationAnswerSchema>;
