import type { Hex } from "viem";

import { encodeBitcoinAddress } from "./bitcoin.ts";
import { encodeEthereumAddress } from "./ethereum.ts";
import { encodeHyperliquidAddress } from "./hyperliquid.ts";
import { encodeLighterAddress } from "./lighter.ts";
import { encodeSolanaAddress } from "./solana.ts";
import { encodeTonAddress } from "./ton.ts";
import { encodeTronAddress } from "./tron.ts";
import type { VmCodec, VmType } from "./vmCodec.ts";
import { encodeXrpAddress } from "./xrp.ts";

const ENCODERS: Readonly<Record<VmType, VmCodec["encodeAddress"]>> = {
  "bitcoin-vm": encodeBitcoinAddress,
  "ethereum-vm": encodeEthereumAddress,
  "hyperliquid-vm": encodeHyperliquidAddress,
  "lighter-vm": encodeLighterAddress,
  "solana-vm": encodeSolanaAddress,
  "ton-vm": encodeTonAddress,
  "tron-vm": encodeTronAddress,
  "xrp-vm": encodeXrpAddress,
};

/** Encodes an address like the codec of its chain family. App bundles load no other functions of the codecs. */
export function encodeVmAddress(vmType: VmType, address: string, field: string): Hex {
  return ENCODERS[vmType](address, field);
}
