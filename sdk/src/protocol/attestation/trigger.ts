import { type Address, type Hex, encodeAbiParameters, keccak256, zeroAddress } from "viem";

const TRIGGER_PARAMETERS = [
  {
    type: "tuple",
    components: [
      { name: "vmType", type: "string" },
      { name: "chainId", type: "string" },
      { name: "currency", type: "bytes" },
      { name: "amount", type: "uint256" },
    ],
  },
  {
    type: "tuple",
    components: [
      { name: "inputVmType", type: "string" },
      { name: "outputVmType", type: "string" },
      { name: "outputChainId", type: "string" },
      { name: "outputCurrency", type: "bytes" },
      { name: "outputRecipient", type: "bytes" },
      { name: "solver", type: "address" },
      { name: "pricingOracle", type: "address" },
      { name: "depositor", type: "bytes" },
      { name: "refundRecipient", type: "bytes" },
      { name: "priceImpactBps", type: "uint256" },
    ],
  },
  { type: "bytes32" },
  { type: "uint256" },
  {
    type: "tuple[]",
    components: [
      { name: "chainId", type: "string" },
      { name: "currency", type: "bytes" },
    ],
  },
  {
    type: "tuple[]",
    components: [
      { name: "usdPrice", type: "uint256" },
      { name: "usdPriceDecimals", type: "uint8" },
      { name: "currencyDecimals", type: "uint8" },
      { name: "expiration", type: "uint256" },
    ],
  },
  { type: "bytes" },
] as const;

/** Starts an order at a deposit address. Addresses and currencies are encoded by their chain's codec. */
export interface Trigger {
  readonly input: {
    readonly vmType: string;
    readonly chainId: string;
    readonly currency: Hex;
    readonly amount: bigint;
  };
  /** Determine the deposit address. */
  readonly derivationFields: {
    readonly inputVmType: string;
    readonly outputVmType: string;
    readonly outputChainId: string;
    readonly outputCurrency: Hex;
    readonly outputRecipient: Hex;
    readonly solver: Address;
    readonly pricingOracle: Address;
    readonly depositor: Hex;
    readonly refundRecipient: Hex;
    readonly priceImpactBps: bigint;
  };
  readonly orderId: Hex;
  readonly nonce: bigint;
  readonly currencies: readonly { readonly chainId: string; readonly currency: Hex }[];
  readonly prices: readonly {
    readonly usdPrice: bigint;
    readonly usdPriceDecimals: number;
    readonly currencyDecimals: number;
    /** Unix seconds. */
    readonly expiration: bigint;
  }[];
  readonly extraData: Hex;
}

/** The deposit address manager's id of a trigger (spec 5, section 2). */
export function hashTrigger(trigger: Trigger): Hex {
  const { input, derivationFields, orderId, nonce, currencies, prices, extraData } = trigger;
  return keccak256(
    encodeAbiParameters(TRIGGER_PARAMETERS, [input, derivationFields, orderId, nonce, currencies, prices, extraData]),
  );
}

export const TRIGGER_TYPES = {
  Trigger: [
    { name: "chainId", type: "uint256" },
    { name: "depositAddressManager", type: "address" },
    { name: "inputDepository", type: "bytes" },
    { name: "triggerHash", type: "bytes32" },
  ],
} as const;

export function triggerDomain(evmChainId: number) {
  return { name: "Trigger", version: "1", chainId: evmChainId, verifyingContract: zeroAddress };
}
