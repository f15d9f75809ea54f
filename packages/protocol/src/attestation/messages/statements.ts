import { doc } from "#doc";
import type * as Type from "typebox";

import * as T from "../../schema/type.ts";
import { RequestPeerSignatures } from "./parts.ts";

export const NoFillBodySchema = T.Object({
  solverChainId: T.String(),
  solver: T.String(),
  orderId: T.String(),
  signature: T.String({ description: doc("Signed by the solver.") }),
  requestPeerSignatures: RequestPeerSignatures,
});

export type NoFillBody = Type.Static<typeof NoFillBodySchema>;

export const NonceMappingBodySchema = T.Object({
  walletChainId: T.String(),
  wallet: T.String(),
  nonce: T.String({ description: doc("Decimal.") }),
  id: T.String({ description: doc("32 bytes.") }),
  depositor: T.String(),
  signatureChainId: T.String({ description: doc("The chain that the wallet signed for.") }),
  signature: T.String({ description: doc("Signed by the wallet.") }),
  requestPeerSignatures: RequestPeerSignatures,
});

export type NonceMappingBody = Type.Static<typeof NonceMappingBodySchema>;

export const SignedEntrySchema = T.Object({
  user: T.String(),
  id: T.String(),
  data: T.String(),
  nonce: T.String(),
  signatures: T.Array(
    T.Object({
      genericMappingChainId: T.String({ description: doc("The hub's EVM chain id, decimal.") }),
      genericMappingContract: T.String(),
      oracleSigner: T.String(),
      signature: T.String(),
    }),
  ),
});

export type SignedEntry = Type.Static<typeof SignedEntrySchema>;

export const EntryResponseSchema = T.Object({ genericMapping: SignedEntrySchema });

export type EntryAttestation = Type.Static<typeof EntryResponseSchema>;

const text = T.String();
const decimals = T.Integer({ minimum: 0, maximum: 255 });

/** Already encoded addresses. */
export const TriggerBodySchema = T.Object({
  input: T.Object({ vmType: text, chainId: text, currency: text, amount: text }),
  derivationFields: T.Object(
    {
      inputVmType: text,
      outputVmType: text,
      outputChainId: text,
      outputCurrency: text,
      outputRecipient: text,
      solver: text,
      pricingOracle: text,
      depositor: text,
      refundRecipient: text,
      priceImpactBps: text,
    },
    { description: doc("Input of the deposit address derivation.") },
  ),
  orderId: text,
  nonce: text,
  currencies: T.Array(T.Object({ chainId: text, currency: text })),
  prices: T.Array(
    T.Object({
      usdPrice: text,
      usdPriceDecimals: decimals,
      currencyDecimals: decimals,
      expiration: T.String({ description: doc("Unix seconds.") }),
    }),
  ),
  extraData: text,
  requestPeerSignatures: RequestPeerSignatures,
});

export type TriggerBody = Type.Static<typeof TriggerBodySchema>;

export const SignedTriggerSchema = T.Object({
  chainId: T.String({ description: doc("The hub's EVM chain id, decimal.") }),
  depositAddressManager: text,
  inputDepository: T.String({ description: doc("Encoded.") }),
  triggerHash: text,
  signatures: T.Array(T.Object({ oracleSigner: text, signature: text }), { minItems: 1 }),
});

export type SignedTrigger = Type.Static<typeof SignedTriggerSchema>;

export const TriggerResponseSchema = T.Object({ trigger: SignedTriggerSchema });

export type TriggerAttestation = Type.Static<typeof TriggerResponseSchema>;
