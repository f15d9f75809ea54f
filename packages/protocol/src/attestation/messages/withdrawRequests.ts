import { doc } from "#doc";
import type * as Type from "typebox";

import { authorizationFields } from "./deposits.ts";
import { HintsSchema, RequestPeerSignatures } from "./parts.ts";
import * as T from "../../schema/type.ts";

const integer = T.Union([T.String(), T.Number()]);
const output = { txid: T.String(), vout: T.Number(), value: T.String() };

const AdditionalDataSchema = T.Object({
  "bitcoin-vm": T.Optional(
    T.Object({
      allocatorUtxos: T.Array(T.Object(output)),
      feeUtxos: T.Array(T.Object({ ...output, address: T.String() })),
      feeRate: T.Number(),
      feeChangeAddress: T.String(),
    }),
  ),
  "hyperliquid-vm": T.Optional(T.Object({ nonce: T.String() })),
  "lighter-vm": T.Optional(T.Object({ nonce: integer, apiKeyIndex: integer, usdcFee: integer })),
  "xrp-vm": T.Optional(
    T.Object({
      sequence: T.Number(),
      fee: integer,
      lastLedgerSequence: T.Number(),
      flags: T.Optional(T.Number()),
      destinationTag: T.Optional(T.Number()),
    }),
  ),
});

const requestFields = {
  chainId: T.String({ description: doc("The chain to withdraw on, by its name in orders.") }),
  depository: T.Optional(T.String({ description: doc("Defaults to the chain's primary depository.") })),
  currency: T.String(),
  amount: T.String({ description: doc("In the smallest unit.") }),
  spenderChainId: T.String({ description: doc("The chain of the spender's address.") }),
  spender: T.String({ description: doc("Account with the balance to withdraw.") }),
  receiver: T.String(),
};

const rest = { additionalData: T.Optional(AdditionalDataSchema), requestPeerSignatures: RequestPeerSignatures };

export const WithdrawalV3BodySchema = T.Object({
  ...requestFields,
  nonce: T.String({ description: doc("32 bytes.") }),
  ...rest,
  transactionId: T.Optional(
    T.String({ description: doc("Transaction that executed the withdrawal, if the chain needs it.") }),
  ),
  hints: T.Optional(HintsSchema),
});

export type WithdrawalV3Body = Type.Static<typeof WithdrawalV3BodySchema>;

export const WithdrawRequestBodySchema = T.Object({
  ...requestFields,
  nonce: T.String({ description: doc("32 bytes.") }),
  ...rest,
  // Each index requires a read of the hub.
  hashIndexes: T.Array(T.Integer({ minimum: 0 }), {
    minItems: 1,
    maxItems: 100,
    description: doc("Which hashes to attest."),
  }),
});

export type WithdrawRequestBody = Type.Static<typeof WithdrawRequestBodySchema>;

export const AuthorizationBodySchema = T.Object({
  ...requestFields,
  nonce: T.String({ pattern: "^0x[0-9a-fA-F]{64}$" }),
  ...rest,
  signatureMetadata: T.Optional(
    T.Object({
      "ton-vm": T.Optional(
        T.Object({
          timestamp: T.Integer({ description: doc("Time in Unix seconds, as returned by the wallet.") }),
          domain: T.String({ description: doc("Domain returned by the wallet.") }),
        }),
      ),
    }),
  ),
  ...authorizationFields,
});

export type AuthorizationBody = Type.Static<typeof AuthorizationBodySchema>;

const OracleSignaturesSchema = T.Array(T.Object({ oracleSigner: T.String(), signature: T.String() }), {
  minItems: 1,
});

export const HashesToSignSchema = T.Object({
  chainId: T.Number({ description: doc("The hub's EVM chain id.") }),
  allocator: T.String(),
  withdrawRequestHash: T.String(),
  hashesToSign: T.Array(T.String()),
  signatures: OracleSignaturesSchema,
});

export type HashesToSign = Type.Static<typeof HashesToSignSchema>;

export const WithdrawRequestResponseSchema = T.Object({ withdrawRequest: HashesToSignSchema });

export type WithdrawRequestAttestation = Type.Static<typeof WithdrawRequestResponseSchema>;

export const AuthorizationResponseSchema = T.Object({
  withdrawRequest: T.Object({
    chainId: T.String(),
    depository: T.String({ description: doc("Encoded, like all addresses here.") }),
    currency: T.String(),
    amount: T.String(),
    spenderChainId: T.String(),
    spender: T.String(),
    receiver: T.String(),
    data: T.String(),
    nonce: T.String(),
  }),
  allocatorChainId: T.Number({ description: doc("The hub's EVM chain id.") }),
  allocatorContract: T.String(),
  signatures: OracleSignaturesSchema,
});

export type AuthorizationAttestation = Type.Static<typeof AuthorizationResponseSchema>;
