import {
  type Address,
  type Hex,
  encodeAbiParameters,
  hexToBytes,
  hexToString,
  parseAbiParameters,
  size,
  slice,
} from "viem";

import { encodeBase64 } from "../encoding/baseTexts.ts";
import { InvalidInputError } from "../core/errors.ts";
import {
  BITCOIN_OUTPUT,
  type BitcoinOutput,
  bitcoinScript,
  missingAdditionalData,
  toBitcoinOutput,
} from "./bitcoinOutputs.ts";
import { HYPERLIQUID_CODEC } from "../vms/hyperliquid.ts";
import { lighterCurrency } from "../vms/lighter.ts";
import { SOLANA_CODEC } from "../vms/solana.ts";
import { TRON_CODEC } from "../vms/tron.ts";
import type { VmType } from "../vms/vmCodec.ts";
import type { SubmitWithdrawRequest } from "./withdrawRequest.ts";

/** Additional data that some families require for allocator v2. */
export interface SubmitWithdrawAdditionalData {
  readonly "bitcoin-vm"?: {
    readonly allocatorUtxos: readonly BitcoinOutput[];
    /** Satoshi per virtual byte. */
    readonly feeRate: number;
  };
  readonly "hyperliquid-vm"?: {
    readonly currencyHyperliquidSymbol: string;
    /** Unix milliseconds. */
    readonly currentTime: number;
  };
  readonly "lighter-vm"?: LighterTransferData;
}

/** Fields of a transfer on the second exchange, in addition to its payment. */
export interface LighterTransferData {
  /** Nonce of the depository's API key. */
  readonly nonce: number;
  /** Market of the payment: 0 for perpetuals, 1 for spot. */
  readonly fromRouteType: number;
  readonly toRouteType: number;
  readonly apiKeyIndex: number;
  /** Maximum fee that the exchange may charge the depository. */
  readonly usdcFee: number;
  /** Memo of at most 32 bytes in hex, with or without 0x. */
  readonly memo: string;
  readonly assetIndex: number;
}

export interface SubmitWithdrawParameters {
  /** Family of the withdrawal's chain. */
  readonly vmType: VmType;
  /** The chain's number on the hub. */
  readonly chainId: bigint;
  readonly depository: string;
  readonly currency: string;
  readonly amount: bigint;
  /** Hub account with the balance to withdraw. */
  readonly spender: Address;
  readonly recipient: string;
  /** 32 bytes. */
  readonly nonce: Hex;
  readonly additionalData?: SubmitWithdrawAdditionalData;
}

/**
 * Converts a withdrawal to a request to allocator v2. Address formats and additional fields depend on the family (spec
 * 5, section 4).
 */
export function toSubmitWithdrawRequest(parameters: SubmitWithdrawParameters): SubmitWithdrawRequest {
  const { vmType, chainId, depository, currency, amount, spender, recipient, nonce, additionalData } = parameters;
  const plain = { chainId, depository, currency, amount, spender, receiver: recipient, data: "0x" as Hex, nonce };
  switch (vmType) {
    case "ethereum-vm":
      return {
        ...plain,
        depository: depository.toLowerCase(),
        currency: currency.toLowerCase(),
        spender: spender.toLowerCase() as Address,
        receiver: recipient.toLowerCase(),
      };
    case "tron-vm":
      return {
        ...plain,
        depository: tronHex(depository, "depository"),
        currency: tronHex(currency, "currency"),
        receiver: tronHex(recipient, "recipient"),
      };
    case "solana-vm":
      return {
        ...plain,
        currency: currency === SOLANA_CODEC.nativeCurrency ? "" : solanaHex(currency, "currency"),
        receiver: solanaHex(recipient, "recipient"),
      };
    case "bitcoin-vm": {
      const { allocatorUtxos, feeRate } = additionalData?.[vmType] ?? missingAdditionalData(vmType);
      const script = bitcoinScript(depository, "depository");
      const utxos = allocatorUtxos.map((output) => toBitcoinOutput(output, script));
      return {
        ...plain,
        receiver: encodeBase64(hexToBytes(bitcoinScript(recipient, "recipient"))),
        data: encodeAbiParameters(BITCOIN_DATA, [{ utxos, feeRate: BigInt(feeRate) }]),
      };
    }
    case "hyperliquid-vm": {
      const { currencyHyperliquidSymbol, currentTime } = additionalData?.[vmType] ?? missingAdditionalData(vmType);
      const time = BigInt(currentTime);
      if (currency === HYPERLIQUID_CODEC.nativeCurrency) {
        return { ...plain, currency: "", data: encodeAbiParameters([{ type: "uint64" }], [time]) };
      }
      const market = marketOf(currency);
      return {
        ...plain,
        currency: `${currencyHyperliquidSymbol}:${currency.toLowerCase()}`,
        data: encodeAbiParameters([{ type: "uint64" }, { type: "string" }, { type: "string" }], [time, market, market]),
      };
    }
    case "lighter-vm": {
      const transfer = additionalData?.[vmType] ?? missingAdditionalData(vmType);
      requireSameCurrency(transfer, currency);
      return { ...plain, currency: transfer.assetIndex.toString(), data: lighterData(transfer) };
    }
    case "ton-vm":
    case "xrp-vm":
      throw new InvalidInputError({
        field: "chainId",
        value: vmType,
        reason: "its family does not support this withdrawal version",
        hint: "Use version 3 of the withdrawal routes.",
      });
  }
}

const BITCOIN_DATA = parseAbiParameters([
  "Data data",
  "struct Data { Output[] utxos; uint64 feeRate; }",
  BITCOIN_OUTPUT,
]);

const LIGHTER_DATA = parseAbiParameters(
  "uint8 kind, uint64 nonce, uint64 fromRoute, uint64 toRoute, uint64 apiKey, uint64 fee, bytes32 memo",
);

/** Transfer kind. */
const TRANSFER = 0;

function lighterData({ nonce, fromRouteType, toRouteType, apiKeyIndex, usdcFee, memo }: LighterTransferData): Hex {
  const digits = memo.replace(/^0x/u, "");
  if (!/^[0-9a-f]{0,64}$/iu.test(digits)) {
    throw new InvalidInputError({
      field: "additionalData.lighter-vm.memo",
      value: memo,
      reason: "it is not hex of at most 32 bytes",
      hint: "Pass hex, or an empty string.",
    });
  }
  return encodeAbiParameters(LIGHTER_DATA, [
    TRANSFER,
    BigInt(nonce),
    BigInt(fromRouteType),
    BigInt(toRouteType),
    BigInt(apiKeyIndex),
    BigInt(usdcFee),
    `0x${digits.padEnd(64, "0")}`,
  ]);
}

/** Requires that the data has the debited currency, because the allocator always pays the asset in the data. */
function requireSameCurrency({ assetIndex, fromRouteType }: LighterTransferData, currency: string): void {
  if (lighterCurrency(assetIndex, fromRouteType) === currency) return;
  throw new InvalidInputError({
    field: "additionalData.lighter-vm.assetIndex",
    value: assetIndex,
    reason: `asset ${assetIndex} of market ${fromRouteType} is not currency ${currency}`,
    hint: "Pass the asset and the market of the currency.",
  });
}

/** Length of the currency's index in bytes; the market's name follows. */
const INDEX_BYTES = 16;

/** Returns the name of the currency's market. Without a name, it is the main market. */
function marketOf(currency: string): string {
  const encoded = HYPERLIQUID_CODEC.encodeAddress(currency, "currency");
  return size(encoded) > INDEX_BYTES ? hexToString(slice(encoded, INDEX_BYTES)) : "spot";
}

/** Returns the 20-byte EVM form of a Tron address. */
function tronHex(address: string, field: string): Hex {
  return slice(TRON_CODEC.encodeAddress(address, field), 1);
}

function solanaHex(address: string, field: string): string {
  return SOLANA_CODEC.encodeAddress(address, field).slice(2);
}
