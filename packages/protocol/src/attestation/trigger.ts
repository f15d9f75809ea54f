import { type Address, type Hex, encodeAbiParameters, keccak256, parseAbiParameters, zeroAddress } from "viem";

const TRIGGER_PARAMETERS = [
  { type: "tuple", components: parseAbiParameters("string vmType, string chainId, bytes currency, uint256 amount") },
  {
    type: "tuple",
    components: parseAbiParameters([
      "string inputVmType, string outputVmType, string outputChainId, bytes outputCurrency, bytes outputRecipient",
      "address solver, address pricingOracle, bytes depositor, bytes refundRecipient, uint256 priceImpactBps",
    ]),
  },
  { type: "bytes32" },
  { type: "uint256" },
  { type: "tuple[]", components: parseAbiParameters("string chainId, bytes currency") },
  {
    type: "tuple[]",
    components: parseAbiParameters(
      "uint256 usdPrice, uint8 usdPriceDecimals, uint8 currencyDecimals, uint256 expiration",
    ),
  },
  { type: "bytes" },
] as const;

/** Order that starts at a deposit address. Addresses and currencies are encoded by their chain's codec. */
export interface Trigger {
  readonly input: {
    readonly vmType: string;
    readonly chainId: string;
    readonly currency: Hex;
    readonly amount: bigint;
  };
  /** The fields that determine the deposit address. */
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

/** Returns the deposit address manager's id of a trigger (spec 5, section 2). */
export function hashTrigger(trigger: Trigger): Hex {
  const { input, derivationFields, orderId, nonce, currencies, prices, extraData } = trigger;
  return keccak256(
    encodeAbiParameters(TRIGGER_PARAMETERS, [input, derivationFields, orderId, nonce, currencies, prices, extraData]),
  );
}

export const TRIGGER_TYPES = {
  Trigger: parseAbiParameters(
    "uint256 chainId, address depositAddressManager, bytes inputDepository, bytes32 triggerHash",
  ),
} as const;

export function triggerDomain(evmChainId: number) {
  return { name: "Trigger", version: "1", chainId: evmChainId, verifyingContract: zeroAddress };
}
