import { doc } from "#doc";
import type * as Type from "typebox";

import { RequestPeerSignatures, SignedExecutionSchema } from "./parts.ts";
import * as T from "../../schema/type.ts";

const addressRequest = {
  chainId: T.String({ description: doc("The chain to withdraw on, by its name in orders.") }),
  currency: T.String(),
  withdrawer: T.String({ description: doc("Owner of the balance.") }),
  withdrawerChainId: T.String({ description: doc("The chain of the withdrawer's address.") }),
  recipient: T.String(),
  withdrawalNonce: T.String({ description: doc("32 bytes.") }),
};

export const WithdrawalAddressRequestSchema = T.Object(addressRequest);

export type WithdrawalAddressRequest = Type.Static<typeof WithdrawalAddressRequestSchema>;

export const WithdrawalBodySchema = T.Object({
  chainId: T.String({ description: doc("The chain's name in orders.") }),
  withdrawal: T.String({ description: doc("The encoded payload for the depository.") }),
  transactionId: T.Optional(T.String()),
  withdrawalAddressRequest: WithdrawalAddressRequestSchema,
  requestPeerSignatures: RequestPeerSignatures,
});

export type WithdrawalBody = Type.Static<typeof WithdrawalBodySchema>;

export const WithdrawalResponseSchema = T.Object({
  message: T.Object({
    data: T.Object({
      chainId: T.String(),
      withdrawal: T.String(),
      withdrawalAddressRequest: WithdrawalAddressRequestSchema,
    }),
    result: T.Object({
      withdrawalId: T.String(),
      depository: T.String(),
      status: T.Number({ description: doc("0 pending, 1 executed, 2 expired.") }),
    }),
  }),
  execution: T.Optional(SignedExecutionSchema),
});

export type WithdrawalAttestation = Type.Static<typeof WithdrawalResponseSchema>;

const initiatedFields = {
  settlementChainId: T.String({ description: doc("The hub's own name.") }),
  expectedAmount: T.String({ description: doc("In the smallest unit.") }),
  ...addressRequest,
};

export const InitiatedBodySchema = T.Object({ ...initiatedFields, requestPeerSignatures: RequestPeerSignatures });

export type InitiatedBody = Type.Static<typeof InitiatedBodySchema>;

export const InitiatedResponseSchema = T.Object({
  message: T.Object({
    data: T.Object(initiatedFields),
    result: T.Object({ proofOfWithdrawalAddressBalance: T.String(), withdrawalAddress: T.String() }),
  }),
});

export type InitiatedAttestation = Type.Static<typeof InitiatedResponseSchema>;

const initiationFields = {
  ...initiatedFields,
  signature: T.String({
    description: doc("The withdrawer's signature over the withdrawal's account, amount and nonce."),
  }),
};

export const InitiationBodySchema = T.Object({ ...initiationFields, requestPeerSignatures: RequestPeerSignatures });

export type InitiationBody = Type.Static<typeof InitiationBodySchema>;

export const InitiationResponseSchema = T.Object({
  message: T.Object({
    data: T.Object(initiationFields),
    result: T.Object({ withdrawalAddress: T.String() }),
  }),
  execution: T.Optional(SignedExecutionSchema),
});

export type InitiationAttestation = Type.Static<typeof InitiationResponseSchema>;
