import { EXCHANGE_CHAIN_ID, SVM_CHAIN_ID } from "../chainIds.ts";
import type { ChainFamily } from "./chainFamily.ts";
import { EVM_FAMILY } from "./evm.ts";
import { EXCHANGE_FAMILY } from "./exchange.ts";
import { SVM_FAMILY } from "./svm.ts";

const OTHER_FAMILIES: ReadonlyMap<number, ChainFamily> = new Map([
  [SVM_CHAIN_ID, SVM_FAMILY],
  [EXCHANGE_CHAIN_ID, EXCHANGE_FAMILY],
]);

/** The family of a chain: the SVM chain and the exchange chain have their own, all others are EVM chains. */
export function chainFamilyOf(chainId: number): ChainFamily {
  return OTHER_FAMILIES.get(chainId) ?? EVM_FAMILY;
}
