import * as Type from "typebox";

import { SignedExecutionSchema } from "./execution.ts";
import { authorizationFields } from "./recover.ts";
import { HintsSchema, RequestPeerSignatures } from "./requestParts.ts";

const count = Type.Integer({ minimum: 0 });

const AdditionalDataSchema = Type.Object({
  "bitcoin-vm": Type.Optional(
    Type.Object({
      allocatorUtxos: Type.Array(Type.Object({ txid: Type.String(), vout: Type.Number(), value: Type.String() })),
      feeRate: Type.Number(),
    }),
  ),
  "hyperliquid-vm": Type.Optional(
    Type.Object({ currencyHyperliquidSymbol: Type.String(), currentTime: Type.Number() }),
  ),
  "lighter-vm": Type.Optional(
    Type.Object({
      nonce: count,
      fromRouteType: count,
      toRouteType: count,
      apiKeyIndex: count,
      usdcFee: count,
      memo: Type.String(),
      assetIndex: count,
    }),
  ),
});

const withdrawalFields = {
  chainId: Type.String({ description: "The chain to withdraw on, by its name in orders." }),
  depository: Type.Optional(Type.String({ description: "By default the chain's primary one." })),
  currency: Type.String(),
  amount: Type.String({ description: "In the smallest unit." }),
  ownerChainId: Type.String({ description: "The chain of the owner's address." }),
  owner: Type.String({ description: "Who owns the balance." }),
  recipient: Type.String(),
  nonce: Type.String({ description: "32 bytes." }),
  additionalData: Type.Optional(AdditionalDataSchema),
  ...authorizationFields,
  requestPeerSignatures: RequestPeerSignatures,
};

export const OwnedWithdrawalBodySchema = Type.Object(withdrawalFields);

export type OwnedWithdrawalBody = Type.Static<typeof OwnedWithdrawalBodySchema>;

export const WithdrawalV2BodySchema = Type.Object({
  ...withdrawalFields,
  transactionId: Type.Optional(
    Type.String({ description: "The transaction that executed it, if the chain needs it." }),
  ),
  hints: Type.Optional(HintsSchema),
});

export type WithdrawalV2Body = Type.Static<typeof WithdrawalV2BodySchema>;

export const WithdrawalStatusAnswerSchema = Type.Object({
  status: Type.Number({ description: "0 pending, 1 executed, 2 expired." }),
  execution: Type.Optional(SignedExecutionSchema),
});

export type WithdrawalStatusAttestation = Type.Static<typeof WithdrawalStatusAnswerSchema>;

export const InitiationV2AnswerSchema = Type.Object({
  withdrawalAddress: Type.String({ description: "The withdrawal's account on the hub." }),
  execution: SignedExecutionSchema,
});

export type InitiationV2Attestation = Type.Static<typeof InitiationV2AnswerSchema>;

export const PayloadParamsSchema = Type.Object({
  chainId: Type.String({ description: "The chain's number on the hub, decimal." }),
  depository: Type.String(),
  currency: Type.String(),
  amount: Type.String(),
  spender: Type.String({ description: "The owner's account on the hub." }),
  recipient: Type.String(),
  nonce: Type.String(),
  data: Type.String(),
  signatures: Type.Array(
    Type.Object({
      allocatorSpenderChainId: Type.String({ description: "The EVM id of the allocator's chain, decimal." }),
      allocatorSpenderContract: Type.String(),
      oracleSigner: Type.String(),
      signature: Type.String(),
    }),
    { minItems: 1 },
  ),
});

export type PayloadParams = Type.Static<typeof PayloadParamsSchema>;

export const InitiatedV2AnswerSchema = Type.Object({ payloadParams: PayloadParamsSchema });

export type InitiatedV2Attestation = Type.Static<typeof InitiatedV2AnswerSchema>;
