import type { ChainFamily } from "./chainFamily.ts";
import { EVM_FAMILY } from "./evm.ts";
import { EXCHANGE_FAMILY } from "./exchange.ts";
import { OTHER_FAMILIES, UNKNOWN_FAMILY } from "./otherFamilies.ts";
import { SVM_FAMILY } from "./svm.ts";
import { VM_TYPE_BY_CHAIN_ID, type ChainVmType } from "./vmTypes.ts";

const FAMILIES: Readonly<Record<ChainVmType, ChainFamily>> = {
  ...OTHER_FAMILIES,
  evm: EVM_FAMILY,
  svm: SVM_FAMILY,
  lvm: EXCHANGE_FAMILY,
};

/** From `GET /chains`. */
export interface KnownChain {
  readonly id?: number | null | undefined;
  readonly vmType?: string | null | undefined;
}

/**
 * Returns the family of a chain, from `GET /chains` if given, else from the documented chain ids. A chain that neither
 * lists has the family `unknown`, whose addresses are not checked.
 *
 * @param chains entries of `GET /chains`, for chains that the table does not list
 */
export function chainFamilyOf(chainId: number, chains: readonly KnownChain[] = []): ChainFamily {
  const listed = chains.find(({ id }) => id === chainId)?.vmType;
  const vmType = listed ?? VM_TYPE_BY_CHAIN_ID.get(chainId);
  return isVmType(vmType) ? FAMILIES[vmType] : UNKNOWN_FAMILY;
}

/** EVM chains ignore case, others do not. */
export function isSameAddressOf(chainId: number, a: string, b: string): boolean {
  return chainFamilyOf(chainId).isSame(a, b);
}

function isVmType(vmType: string | undefined): vmType is ChainVmType {
  return vmType !== undefined && Object.hasOwn(FAMILIES, vmType);
}
