import * as Type from "typebox";

import { SignedExecutionSchema } from "./execution.ts";
import { authorizationFields } from "./recoverFields.ts";
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
  depository: Type.Optional(Type.String({ description: "The chain's primary one when left out." })),
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

/** Schema of the bodies of `POST /attestations/withdrawal-initiation/v2` and `withdrawal-initiated/v2`. */
export const OwnedWithdrawalBodySchema = Type.Object(withdrawalFields);

/** A withdrawal of an owner's balance. */
export type OwnedWithdrawalBody = Type.Static<typeof OwnedWithdrawalBodySchema>;

/** Schema of the body of `POST /attestations/depository-withdrawals/v2`. */
export const WithdrawalV2BodySchema = Type.Object({
  ...withdrawalFields,
  transactionId: Type.Optional(Type.String({ description: "What executed it, where its chain must know." })),
  hints: Type.Optional(HintsSchema),
});

/** A withdrawal of an owner's balance to attest. */
export type WithdrawalV2Body = Type.Static<typeof WithdrawalV2BodySchema>;

/** Schema of the answers that tell what became of a withdrawal. */
export const WithdrawalStatusAnswerSchema = Type.Object({
  status: Type.Number({ description: "0 pending, 1 executed, 2 expired." }),
  execution: Type.Optional(SignedExecutionSchema),
});

/** What became of a withdrawal, attested. */
export type WithdrawalStatusAttestation = Type.Static<typeof WithdrawalStatusAnswerSchema>;

/** Schema of the answer of `POST /attestations/withdrawal-initiation/v2`. */
export const InitiationV2AnswerSchema = Type.Object({
  withdrawalAddress: Type.String({ description: "The withdrawal's account on the hub." }),
  execution: SignedExecutionSchema,
});

/** The initiation of a withdrawal, attested. */
export type InitiationV2Attestation = Type.Static<typeof InitiationV2AnswerSchema>;

/** Schema of a request to the allocator of the second version, with the signatures of oracles. */
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

/** A request to the allocator of the second version, with the signatures of oracles. */
export type PayloadParams = Type.Static<typeof PayloadParamsSchema>;

/** Schema of the answer of `POST /attestations/withdrawal-initiated/v2`. */
export const InitiatedV2AnswerSchema = Type.Object({ payloadParams: PayloadParamsSchema });

/** A withdrawal's balance, attested. */
export type InitiatedV2Attestation = Type.Static<typeof InitiatedV2AnswerSchema>;
