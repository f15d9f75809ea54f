import { type Address, type Hex, hashTypedData, parseAbi, zeroHash } from "viem";

import {
  hashTrigger,
  type SignedTrigger,
  TRIGGER_TYPES,
  type TriggerAttestation,
  type TriggerBody,
  triggerDomain,
} from "@crosscall/protocol/attestation";
import { AttestationRefusedError, requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { readContract } from "../readContract.ts";
import { signDigest } from "./signedExecution.ts";

const MANAGER_ABI = parseAbi(["function triggers(bytes32 triggerHash) view returns (bytes32)"]);

/** Attests that the hub has the trigger for an order at a deposit address. */
export async function attestTrigger(context: OracleContext, body: TriggerBody): Promise<TriggerAttestation> {
  const { hub, hubReader, chains } = context;
  const depositAddressManager = hub.depositAddressManagerAddress;
  if (depositAddressManager === undefined) throw new AttestationRefusedError("Missing deposit address manager config");
  const { config, codec } = chains.get(body.input.chainId);
  if (config.depository === undefined) {
    throw new AttestationRefusedError(`Missing depository for input chain ${config.id}`);
  }
  const triggerHash = hashBody(body);
  const orderId = await readContract(hubReader, {
    address: depositAddressManager as Address,
    abi: MANAGER_ABI,
    functionName: "triggers",
    args: [triggerHash],
  });
  // The hub returns zero for unknown triggers.
  const isKnown = orderId !== zeroHash && orderId === body.orderId;
  requireAttested(isKnown, "Trigger hash does not map to the provided order id");
  const message = {
    chainId: hub.evmChainId.toString(),
    depositAddressManager,
    inputDepository: codec.encodeAddress(config.depository, "depository"),
    triggerHash,
    signatures: [],
  };
  return { trigger: { ...message, signatures: [await signDigest(context, hashSignedTrigger(context, message))] } };
}

export function hashSignedTrigger({ hub }: OracleContext, trigger: SignedTrigger): Hex {
  return hashTypedData({
    domain: triggerDomain(hub.evmChainId),
    types: TRIGGER_TYPES,
    primaryType: "Trigger",
    message: {
      chainId: BigInt(trigger.chainId),
      depositAddressManager: trigger.depositAddressManager as Address,
      inputDepository: trigger.inputDepository as Hex,
      triggerHash: trigger.triggerHash as Hex,
    },
  });
}

function hashBody({ input, derivationFields, orderId, nonce, currencies, prices, extraData }: TriggerBody): Hex {
  const { outputCurrency, outputRecipient, solver, pricingOracle, depositor, refundRecipient } = derivationFields;
  return hashTrigger({
    input: { ...input, currency: input.currency as Hex, amount: BigInt(input.amount) },
    derivationFields: {
      ...derivationFields,
      outputCurrency: outputCurrency as Hex,
      outputRecipient: outputRecipient as Hex,
      solver: solver as Address,
      pricingOracle: pricingOracle as Address,
      depositor: depositor as Hex,
      refundRecipient: refundRecipient as Hex,
      priceImpactBps: BigInt(derivationFields.priceImpactBps),
    },
    orderId: orderId as Hex,
    nonce: BigInt(nonce),
    extraData: extraData as Hex,
    currencies: currencies.map(({ chainId, currency }) => ({ chainId, currency: currency as Hex })),
    prices: prices.map(({ usdPrice, expiration, ...price }) => ({
      ...price,
      usdPrice: BigInt(usdPrice),
      expiration: BigInt(expiration),
    })),
  });
}
