import type { VmType } from "@crosscall/protocol/vms";
import { BITCOIN_VM } from "./bitcoin/bitcoinVm.ts";
import { ETHEREUM_VM } from "./ethereum/evmFamily.ts";
import { HYPERLIQUID_VM } from "./hyperliquid/hyperliquidVm.ts";
import { LIGHTER_VM } from "./lighter/lighterVm.ts";
import { SOLANA_VM } from "./solana/solanaVm.ts";
import { TRON_VM } from "./tron/tronVm.ts";
import type { VmFamily } from "./vmChain.ts";

const FAMILIES: readonly VmFamily[] = [BITCOIN_VM, ETHEREUM_VM, HYPERLIQUID_VM, LIGHTER_VM, SOLANA_VM, TRON_VM];

/** Returns the family of a VM type, or undefined if this build does not support the type. */
export function vmFamilyOf(vmType: VmType): VmFamily | undefined {
  return FAMILIES.find((family) => family.vmType === vmType);
}
