import { zeroAddress } from "viem";

import {
  DEPOSITORY_ADDRESS,
  HUB_CHAIN_ID,
  ORACLE_ADDRESS,
  PERMIT2_ADDRESS,
  SOLVER_ADDRESS,
} from "@crosscall/protocol/chains";

/** Arguments and types are those of the constructor. */
export interface CatalogueEntry {
  /** Path below `contracts/`, without the extension. */
  readonly source: string;
  /** Deployed by default; every argument has a default then. */
  readonly isStandard?: true;
  /** By the constructor's parameter names without trailing underscores. */
  readonly defaults?: Readonly<Record<string, string | boolean>>;
  /** Contracts that its constructor deploys, in order, without arguments. */
  readonly children?: readonly string[];
}

export const CATALOGUE = {
  AaveV3Proxy: { source: "proxies/AaveV3Proxy", defaults: { wrappedNative: zeroAddress } },
  AttestationVerifier: {
    source: "attestation/AttestationVerifier",
    defaults: { oracleVersion: "2", hubChainId: String(HUB_CHAIN_ID), oracle: ORACLE_ADDRESS },
  },
  CompoundV3Proxy: { source: "proxies/CompoundV3Proxy", defaults: { wrappedNative: zeroAddress } },
  CurrencyCap: { source: "receiver/policies/CurrencyCap" },
  Erc4626Proxy: { source: "proxies/Erc4626Proxy", defaults: { wrappedNative: zeroAddress } },
  FillCurrencyAllowList: { source: "receiver/policies/FillCurrencyAllowList", defaults: { solver: SOLVER_ADDRESS } },
  PausePolicy: { source: "receiver/policies/PausePolicy" },
  PushExecutor: {
    source: "executor/PushExecutor",
    isStandard: true,
    children: ["executor/LivePuller"],
  },
  RecipientAllowList: { source: "receiver/policies/RecipientAllowList" },
  RequestReceiver: {
    source: "receiver/RequestReceiver",
    isStandard: true,
    defaults: {
      solver: SOLVER_ADDRESS,
      depository: DEPOSITORY_ADDRESS,
      permit2: PERMIT2_ADDRESS,
      policy: zeroAddress,
    },
  },
  UniswapV3Proxy: { source: "proxies/UniswapV3Proxy", defaults: { wrappedNative: zeroAddress, givesNative: false } },
  UserAllowList: { source: "receiver/policies/UserAllowList" },
  WrappedNativeProxy: { source: "proxies/WrappedNativeProxy" },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

export type ContractName = keyof typeof CATALOGUE;

export function catalogueEntries(): [ContractName, CatalogueEntry][] {
  return Object.entries(CATALOGUE) as [ContractName, CatalogueEntry][];
}

/** With those of the contracts that its constructor deploys. */
export function sourcesOf({ source, children = [] }: CatalogueEntry): string[] {
  return [source, ...children];
}
