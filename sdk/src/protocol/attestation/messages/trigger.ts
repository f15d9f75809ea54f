import * as Type from "typebox";

import { RequestPeerSignatures } from "./requestParts.ts";

const text = Type.String();
const decimals = Type.Integer({ minimum: 0, maximum: 255 });

/** Addresses are encoded already. */
export const TriggerBodySchema = Type.Object({
  input: Type.Object({ vmType: text, chainId: text, currency: text, amount: text }),
  derivationFields: Type.Object(
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
    { description: "What the deposit address was derived from." },
  ),
  orderId: text,
  nonce: text,
  currencies: Type.Array(Type.Object({ chainId: text, currency: text })),
  prices: Type.Array(
    Type.Object({
      usdPrice: text,
      usdPriceDecimals: decimals,
      currencyDecimals: decimals,
      expiration: Type.String({ description: "Unix seconds." }),
    }),
  ),
  extraData: text,
  requestPeerSignatures: RequestPeerSignatures,
});

export type TriggerBody = Type.Static<typeof TriggerBodySchema>;

export const SignedTriggerSchema = Type.Object({
  chainId: Type.String({ description: "The hub's EVM chain id, decimal." }),
  depositAddressManager: text,
  inputDepository: Type.String({ description: "Encoded." }),
  triggerHash: text,
  signatures: Type.Array(Type.Object({ oracleSigner: text, signature: text }), { minItems: 1 }),
});

export type SignedTrigger = Type.Static<typeof SignedTriggerSchema>;

export const TriggerAnswerSchema = Type.Object({ trigger: SignedTriggerSchema });

export type TriggerAttestation = Type.Static<typeof TriggerAnswerSchema>;
