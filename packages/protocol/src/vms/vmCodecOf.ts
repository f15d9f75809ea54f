import { BITCOIN_CODEC } from "./bitcoin.ts";
import { ETHEREUM_CODEC } from "./ethereum.ts";
import { HYPERLIQUID_CODEC } from "./hyperliquid.ts";
import { LIGHTER_CODEC } from "./lighter.ts";
import { SOLANA_CODEC } from "./solana.ts";
import { TON_CODEC } from "./ton.ts";
import { TRON_CODEC } from "./tron.ts";
import type { VmCodec, VmType } from "./vmCodec.ts";
import { XRP_CODEC } from "./xrp.ts";

const CODECS: Readonly<Record<VmType, VmCodec>> = {
  "bitcoin-vm": BITCOIN_CODEC,
  "ethereum-vm": ETHEREUM_CODEC,
  "hyperliquid-vm": HYPERLIQUID_CODEC,
  "lighter-vm": LIGHTER_CODEC,
  "solana-vm": SOLANA_CODEC,
  "ton-vm": TON_CODEC,
  "tron-vm": TRON_CODEC,
  "xrp-vm": XRP_CODEC,
};

/** Returns the codec of a chain family (spec 5, section 3). */
export function vmCodecOf(vmType: VmType): VmCodec {
  return CODECS[vmType];
}
