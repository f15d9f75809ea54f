import { zeroAddress } from "viem";

import {
  DEPOSITORY_ADDRESS,
  HUB_CHAIN_ID,
  ORACLE_ADDRESS,
  PERMIT2_ADDRESS,
  ROUTER_ADDRESS,
  SOLVER_ADDRESS,
} from "@crosscall/sdk/internal/chains/serviceAddresses";

/** A contract that can be deployed. Its arguments and their types are those of its constructor. */
export interface CatalogueEntry {
  /** Path of the source below `contracts/`, without the ending. */
  readonly source: string;
  /** Whether it is deployed without being asked for: then every argument has a default. */
  readonly isStandard?: true;
  /** What the parameters may leave out, by the constructor's names without trailing underscores. */
  readonly defaults?: Readonly<Record<string, string | boolean>>;
  /** Sources of the contracts that its constructor deploys, in its order; they take no arguments. */
  readonly children?: readonly string[];
}

/** Everything that `crosscall deploy` can deploy, by name. */
export const CATALOGUE = {
  AaveV3Proxy: { source: "proxies/AaveV3Proxy", defaults: { wrappedNative: zeroAddress } },
  AttestationVerifier: {
    source: "attestation/AttestationVerifier",
    defaults: { oracleVersion: "2", hubChainId: String(HUB_CHAIN_ID), oracle: ORACLE_ADDRESS },
  },
  CompoundV3Proxy: { source: "proxies/CompoundV3Proxy", defaults: { wrappedNative: zeroAddress } },
  CurrencyCap: { source: "receiver/policies/CurrencyCap" },
  Erc4626Proxy: { source: "proxies/Erc4626Proxy", defaults: { wrappedNative: zeroAddress } },
  PausePolicy: { source: "receiver/policies/PausePolicy" },
  PushExecutor: {
    source: "executor/PushExecutor",
    isStandard: true,
    defaults: { router: ROUTER_ADDRESS },
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

/** A name in the catalogue. */
export type ContractName = keyof typeof CATALOGUE;

/** The catalogue as a list. */
export function catalogueEntries(): [ContractName, CatalogueEntry][] {
  return Object.entries(CATALOGUE) as [ContractName, CatalogueEntry][];
}
