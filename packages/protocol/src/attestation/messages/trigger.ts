import { doc } from "#doc";
import type * as Type from "typebox";

import { RequestPeerSignatures } from "./requestParts.ts";
import * as T from "../../schema/type.ts";

const text = T.String();
const decimals = T.Integer({ minimum: 0, maximum: 255 });

/** Addresses are encoded already. */
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
    { description: doc("What the deposit address was derived from.") },
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

export const TriggerAnswerSchema = T.Object({ trigger: SignedTriggerSchema });

export type TriggerAttestation = Type.Static<typeof TriggerAnswerSchema>;
