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

export const WithdrawalAddressRequestSchema = Type.Object(addressRequest);

export type WithdrawalAddressRequest = Type.Static<typeof WithdrawalAddressRequestSchema>;

export const WithdrawalBodySchema = Type.Object({
  chainId: Type.String({ description: "The chain's name in orders." }),
  withdrawal: Type.String({ description: "The encoded payload for the depository." }),
  transactionId: Type.Optional(Type.String()),
  withdrawalAddressRequest: WithdrawalAddressRequestSchema,
  requestPeerSignatures: RequestPeerSignatures,
});

export type WithdrawalBody = Type.Static<typeof WithdrawalBodySchema>;

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

export type WithdrawalAttestation = Type.Static<typeof WithdrawalAnswerSchema>;

const initiatedFields = {
  settlementChainId: Type.String({ description: "The hub's own name." }),
  expectedAmount: Type.String({ description: "In the smallest unit." }),
  ...addressRequest,
};

export const InitiatedBodySchema = Type.Object({ ...initiatedFields, requestPeerSignatures: RequestPeerSignatures });

export type InitiatedBody = Type.Static<typeof InitiatedBodySchema>;

export const InitiatedAnswerSchema = Type.Object({
  message: Type.Object({
    data: Type.Object(initiatedFields),
    result: Type.Object({ proofOfWithdrawalAddressBalance: Type.String(), withdrawalAddress: Type.String() }),
  }),
});

export type InitiatedAttestation = Type.Static<typeof InitiatedAnswerSchema>;

const initiationFields = {
  ...initiatedFields,
  signature: Type.String({ description: "Of the withdrawer, over the withdrawal's account, amount and nonce." }),
};

export const InitiationBodySchema = Type.Object({ ...initiationFields, requestPeerSignatures: RequestPeerSignatures });

export type InitiationBody = Type.Static<typeof InitiationBodySchema>;

export const InitiationAnswerSchema = Type.Object({
  message: Type.Object({
    data: Type.Object(initiationFields),
    result: Type.Object({ withdrawalAddress: Type.String() }),
  }),
  execution: Type.Optional(SignedExecutionSchema),
});

export type InitiationAttestation = Type.Static<typeof InitiationAnswerSchema>;
