import { AbiCoder, keccak256 } from "ethers";
import { type Address, type Hex, zeroAddress } from "viem";

import { addressOf, hashOf } from "./world.ts";

const TYPES = [
  "tuple(string vmType,string chainId,bytes currency,uint256 amount)",
  "tuple(string inputVmType,string outputVmType,string outputChainId,bytes outputCurrency,bytes outputRecipient," +
    "address solver,address pricingOracle,bytes depositor,bytes refundRecipient,uint256 priceImpactBps)",
  "bytes32",
  "uint256",
  "tuple(string chainId,bytes currency)[]",
  "tuple(uint256 usdPrice,uint8 usdPriceDecimals,uint8 currencyDecimals,uint256 expiration)[]",
  "bytes",
];

/** Body of a trigger request. */
export interface TriggerRequest {
  readonly input: { readonly chainId: string };
  readonly derivationFields: object;
  readonly orderId: Hex;
  readonly nonce: string;
  readonly currencies: readonly object[];
  readonly prices: readonly object[];
  readonly extraData: Hex;
}

function triggerHashOf(request: TriggerRequest): Hex {
  const { input, derivationFields, orderId, nonce, currencies, prices, extraData } = request;
  const values = [input, derivationFields, orderId, nonce, currencies, prices, extraData];
  return keccak256(AbiCoder.defaultAbiCoder().encode(TYPES, values)) as Hex;
}

/** Returns the trigger of a deposit address, with some currencies. */
export function encodeTrigger(
  chainId: string,
  depositor: Address,
  count: number,
): { readonly request: TriggerRequest; readonly hash: Hex } {
  const solver = addressOf("trigger solver");
  const request = {
    input: { vmType: "ethereum-vm", chainId, currency: zeroAddress, amount: `${9n ** BigInt(count * 10)}` },
    derivationFields: {
      inputVmType: "ethereum-vm",
      outputVmType: "solana-vm",
      outputChainId: "solana",
      outputCurrency: hashOf("output currency"),
      outputRecipient: hashOf("output recipient"),
      solver,
      pricingOracle: solver,
      depositor,
      refundRecipient: depositor,
      priceImpactBps: `${30 + count}`,
    },
    orderId: hashOf(`triggered ${count}`),
    nonce: `${count}`,
    extraData: `0x${"ab".repeat(count)}` as const,
    currencies: Array.from({ length: count }, (_, index) => ({ chainId, currency: addressOf(`currency ${index}`) })),
    prices: Array.from({ length: count }, (_, index) => ({
      usdPrice: `${100 + index}`,
      usdPriceDecimals: index,
      currencyDecimals: 6,
      expiration: "1790000000",
    })),
  };
  return { request, hash: triggerHashOf(request) };
}
