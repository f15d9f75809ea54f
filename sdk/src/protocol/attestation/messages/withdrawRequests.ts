import * as Type from "typebox";

import { authorizationFields } from "./recover.ts";
import { HintsSchema, RequestPeerSignatures } from "./requestParts.ts";

const integer = Type.Union([Type.String(), Type.Number()]);
const output = { txid: Type.String(), vout: Type.Number(), value: Type.String() };

const AdditionalDataSchema = Type.Object({
  "bitcoin-vm": Type.Optional(
    Type.Object({
      allocatorUtxos: Type.Array(Type.Object(output)),
      feeUtxos: Type.Array(Type.Object({ ...output, address: Type.String() })),
      feeRate: Type.Number(),
      feeChangeAddress: Type.String(),
    }),
  ),
  "hyperliquid-vm": Type.Optional(Type.Object({ nonce: Type.String() })),
  "lighter-vm": Type.Optional(Type.Object({ nonce: integer, apiKeyIndex: integer, usdcFee: integer })),
  "xrp-vm": Type.Optional(
    Type.Object({
      sequence: Type.Number(),
      fee: integer,
      lastLedgerSequence: Type.Number(),
      flags: Type.Optional(Type.Number()),
      destinationTag: Type.Optional(Type.Number()),
    }),
  ),
});

const requestFields = {
  chainId: Type.String({ description: "The chain to withdraw on, by its name in orders." }),
  depository: Type.Optional(Type.String({ description: "By default the chain's primary one." })),
  currency: Type.String(),
  amount: Type.String({ description: "In the smallest unit." }),
  spenderChainId: Type.String({ description: "The chain of the spender's address." }),
  spender: Type.String({ description: "Whose balance is withdrawn." }),
  receiver: Type.String(),
};

const rest = { additionalData: Type.Optional(AdditionalDataSchema), requestPeerSignatures: RequestPeerSignatures };

export const WithdrawalV3BodySchema = Type.Object({
  ...requestFields,
  nonce: Type.String({ description: "32 bytes." }),
  ...rest,
  transactionId: Type.Optional(
    Type.String({ description: "The transaction that executed it, if the chain needs it." }),
  ),
  hints: Type.Optional(HintsSchema),
});

export type WithdrawalV3Body = Type.Static<typeof WithdrawalV3BodySchema>;

export const WithdrawRequestBodySchema = Type.Object({
  ...requestFields,
  nonce: Type.String({ description: "32 bytes." }),
  ...rest,
  // Each index costs a read of the hub.
  hashIndexes: Type.Array(Type.Integer({ minimum: 0 }), {
    minItems: 1,
    maxItems: 100,
    description: "Which hashes to attest.",
  }),
});

export type WithdrawRequestBody = Type.Static<typeof WithdrawRequestBodySchema>;

export const AuthorizationBodySchema = Type.Object({
  ...requestFields,
  nonce: Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" }),
  ...rest,
  signatureMetadata: Type.Optional(
    Type.Object({
      "ton-vm": Type.Optional(
        Type.Object({
          timestamp: Type.Number({ description: "Unix seconds, as returned by the wallet." }),
          domain: Type.String({ description: "As returned by the wallet." }),
        }),
      ),
    }),
  ),
  ...authorizationFields,
});

export type AuthorizationBody = Type.Static<typeof AuthorizationBodySchema>;

const OracleSignaturesSchema = Type.Array(Type.Object({ oracleSigner: Type.String(), signature: Type.String() }), {
  minItems: 1,
});

export const HashesToSignSchema = Type.Object({
  chainId: Type.Number({ description: "The hub's EVM chain id." }),
  allocator: Type.String(),
  withdrawRequestHash: Type.String(),
  hashesToSign: Type.Array(Type.String()),
  signatures: OracleSignaturesSchema,
});

export type HashesToSign = Type.Static<typeof HashesToSignSchema>;

export const WithdrawRequestAnswerSchema = Type.Object({ withdrawRequest: HashesToSignSchema });

export type WithdrawRequestAttestation = Type.Static<typeof WithdrawRequestAnswerSchema>;

export const AuthorizationAnswerSchema = Type.Object({
  withdrawRequest: Type.Object({
    chainId: Type.String(),
    depository: Type.String({ description: "Encoded, as all addresses here." }),
    currency: Type.String(),
    amount: Type.String(),
    spenderChainId: Type.String(),
    spender: Type.String(),
    receiver: Type.String(),
    data: Type.String(),
    nonce: Type.String(),
  }),
  allocatorChainId: Type.Number({ description: "The hub's EVM chain id." }),
  allocatorContract: Type.String(),
  signatures: OracleSignaturesSchema,
});

export type AuthorizationAttestation = Type.Static<typeof AuthorizationAnswerSchema>;
