import { doc } from "#doc";
import type * as Type from "typebox";

import { HintsSchema, RequestPeerSignatures, SignedExecutionSchema } from "./parts.ts";
import { authorizationFields } from "./deposits.ts";
import * as T from "../../schema/type.ts";

const count = T.Integer({ minimum: 0 });

const AdditionalDataSchema = T.Object({
  "bitcoin-vm": T.Optional(
    T.Object({
      allocatorUtxos: T.Array(T.Object({ txid: T.String(), vout: T.Number(), value: T.String() })),
      feeRate: T.Number(),
    }),
  ),
  "hyperliquid-vm": T.Optional(T.Object({ currencyHyperliquidSymbol: T.String(), currentTime: T.Number() })),
  "lighter-vm": T.Optional(
    T.Object({
      nonce: count,
      fromRouteType: count,
      toRouteType: count,
      apiKeyIndex: count,
      usdcFee: count,
      memo: T.String(),
      assetIndex: count,
    }),
  ),
});

const withdrawalFields = {
  chainId: T.String({ description: doc("The chain to withdraw on, by its name in orders.") }),
  depository: T.Optional(T.String({ description: doc("Defaults to the chain's primary depository.") })),
  currency: T.String(),
  amount: T.String({ description: doc("In the smallest unit.") }),
  ownerChainId: T.String({ description: doc("The chain of the owner's address.") }),
  owner: T.String({ description: doc("Owner of the balance.") }),
  recipient: T.String(),
  nonce: T.String({ description: doc("32 bytes.") }),
  additionalData: T.Optional(AdditionalDataSchema),
  ...authorizationFields,
  requestPeerSignatures: RequestPeerSignatures,
};

export const OwnedWithdrawalBodySchema = T.Object(withdrawalFields);

export type OwnedWithdrawalBody = Type.Static<typeof OwnedWithdrawalBodySchema>;

export const WithdrawalV2BodySchema = T.Object({
  ...withdrawalFields,
  transactionId: T.Optional(
    T.String({ description: doc("Transaction that executed the withdrawal, if the chain needs it.") }),
  ),
  hints: T.Optional(HintsSchema),
});

export type WithdrawalV2Body = Type.Static<typeof WithdrawalV2BodySchema>;

export const WithdrawalStatusResponseSchema = T.Object({
  status: T.Number({ description: doc("0 pending, 1 executed, 2 expired.") }),
  execution: T.Optional(SignedExecutionSchema),
});

export type WithdrawalStatusAttestation = Type.Static<typeof WithdrawalStatusResponseSchema>;

export const InitiationV2ResponseSchema = T.Object({
  withdrawalAddress: T.String({ description: doc("The withdrawal's account on the hub.") }),
  execution: SignedExecutionSchema,
});

export type InitiationV2Attestation = Type.Static<typeof InitiationV2ResponseSchema>;

export const PayloadParamsSchema = T.Object({
  chainId: T.String({ description: doc("The chain's number on the hub, decimal.") }),
  depository: T.String(),
  currency: T.String(),
  amount: T.String(),
  spender: T.String({ description: doc("The owner's account on the hub.") }),
  recipient: T.String(),
  nonce: T.String(),
  data: T.String(),
  signatures: T.Array(
    T.Object({
      allocatorSpenderChainId: T.String({ description: doc("The EVM id of the allocator's chain, decimal.") }),
      allocatorSpenderContract: T.String(),
      oracleSigner: T.String(),
      signature: T.String(),
    }),
    { minItems: 1 },
  ),
});

export type PayloadParams = Type.Static<typeof PayloadParamsSchema>;

export const InitiatedV2ResponseSchema = T.Object({ payloadParams: PayloadParamsSchema });

export type InitiatedV2Attestation = Type.Static<typeof InitiatedV2ResponseSchema>;
