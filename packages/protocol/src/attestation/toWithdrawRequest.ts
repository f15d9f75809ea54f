import { type Hex, encodeAbiParameters, parseAbiParameters, size } from "viem";

import { InvalidInputError } from "../core/errors.ts";
import {
  BITCOIN_OUTPUT,
  type BitcoinOutput,
  bitcoinScript,
  missingAdditionalData,
  toBitcoinOutput,
} from "./bitcoinOutputs.ts";
import type { VmCodec, VmType } from "../vms/vmCodec.ts";
import { vmCodecOf } from "../vms/vmCodecOf.ts";
import type { WithdrawRequest } from "./withdrawRequest.ts";

type Integer = string | number;

/** Additional data that some families require for allocator v3. */
export interface WithdrawAdditionalData {
  readonly "bitcoin-vm"?: {
    readonly allocatorUtxos: readonly BitcoinOutput[];
    readonly feeUtxos: readonly (BitcoinOutput & { readonly address: string })[];
    /** Satoshi per virtual byte. */
    readonly feeRate: number;
    readonly feeChangeAddress: string;
  };
  readonly "hyperliquid-vm"?: { readonly nonce: string };
  readonly "lighter-vm"?: { readonly nonce: Integer; readonly apiKeyIndex: Integer; readonly usdcFee: Integer };
  readonly "xrp-vm"?: {
    readonly sequence: number;
    /** Drops. */
    readonly fee: Integer;
    readonly lastLedgerSequence: number;
    readonly flags?: number;
    readonly destinationTag?: number;
  };
}

export interface WithdrawParameters {
  /** Family of the withdrawal's chain. */
  readonly vmType: VmType;
  readonly chainId: string;
  readonly depository: string;
  readonly currency: string;
  readonly amount: bigint;
  /** Codec of the spender's chain. */
  readonly spenderCodec: VmCodec;
  readonly spenderChainId: string;
  readonly spender: string;
  readonly receiver: string;
  /** 32 bytes. */
  readonly nonce: Hex;
  readonly additionalData?: WithdrawAdditionalData;
}

/**
 * Converts a withdrawal to a request to allocator v3, with addresses encoded by their chain's codec (spec 5, section
 * 4).
 *
 * @throws {@link InvalidInputError} when an address is invalid, or additional data of the family is missing
 */
export function toWithdrawRequest(parameters: WithdrawParameters): WithdrawRequest {
  const { vmType, chainId, depository, currency, amount, spenderChainId, spender, receiver, nonce } = parameters;
  const codec = vmCodecOf(vmType);
  return {
    chainId,
    depository: codec.encodeAddress(depository, "depository"),
    currency: codec.encodeAddress(currency, "currency"),
    amount,
    spenderChainId,
    spender: parameters.spenderCodec.encodeAddress(spender, "spender"),
    receiver: codec.encodeAddress(receiver, "receiver"),
    data: encodeData(parameters),
    nonce,
  };
}

function encodeData({ vmType, depository, additionalData }: WithdrawParameters): Hex {
  switch (vmType) {
    case "ethereum-vm":
    case "solana-vm":
    case "ton-vm":
    case "tron-vm":
      return "0x";
    case "bitcoin-vm": {
      const { allocatorUtxos, feeUtxos, feeRate, feeChangeAddress } =
        additionalData?.[vmType] ?? missingAdditionalData(vmType);
      const script = allocatorScript(depository);
      return encodeAbiParameters(BITCOIN_DATA, [
        {
          allocatorUtxos: allocatorUtxos.map((output) => toBitcoinOutput(output, script)),
          feeUtxos: feeUtxos.map((output) => toBitcoinOutput(output, bitcoinScript(output.address, "feeUtxos"))),
          feeChangeScript: bitcoinScript(feeChangeAddress, "feeChangeAddress"),
          feeRate: BigInt(feeRate),
        },
      ]);
    }
    case "hyperliquid-vm": {
      const { nonce } = additionalData?.[vmType] ?? missingAdditionalData(vmType);
      return encodeAbiParameters([{ type: "uint64" }], [BigInt(nonce)]);
    }
    case "lighter-vm": {
      const { nonce, apiKeyIndex, usdcFee } = additionalData?.[vmType] ?? missingAdditionalData(vmType);
      const values = [BigInt(nonce), BigInt(apiKeyIndex), BigInt(usdcFee)] as const;
      return encodeAbiParameters([{ type: "uint64" }, { type: "uint64" }, { type: "uint64" }], values);
    }
    case "xrp-vm": {
      const data = additionalData?.[vmType] ?? missingAdditionalData(vmType);
      const { sequence, fee, lastLedgerSequence, flags = 0, destinationTag } = data;
      return encodeAbiParameters(XRP_DATA, [
        {
          sequence,
          fee: BigInt(fee),
          lastLedgerSequence,
          flags,
          destinationTag: destinationTag ?? 0,
          hasDestinationTag: destinationTag !== undefined,
        },
      ]);
    }
  }
}

const BITCOIN_DATA = parseAbiParameters([
  "Data data",
  "struct Data { Output[] allocatorUtxos; Output[] feeUtxos; bytes feeChangeScript; uint64 feeRate; }",
  BITCOIN_OUTPUT,
]);

const XRP_DATA = parseAbiParameters(
  "(uint32 sequence, uint64 fee, uint32 lastLedgerSequence, uint32 flags, uint32 destinationTag, bool hasDestinationTag)",
);

/** Returns a depository's script. The allocator only supports key-hash scripts. */
function allocatorScript(depository: string): Hex {
  const script = bitcoinScript(depository, "depository");
  if (script.startsWith("0x0014") && size(script) === 22) return script;
  throw new InvalidInputError({
    field: "depository",
    value: depository,
    reason: "it is not a P2WPKH address",
    hint: "Pass the allocator's own address.",
  });
}
