import { zeroAddress } from "viem";
import {
  DEPOSITORY_ADDRESS,
  HUB_CHAIN_ID,
  ORACLE_ADDRESS,
  PERMIT2_ADDRESS,
  SOLVER_ADDRESS,
} from "@crosscall/protocol/chains";
import * as Type from "typebox";
import { InvalidInputError } from "@crosscall/protocol/core";
import { findMismatch, oneOf } from "@crosscall/protocol/schema";

import { readJson } from "../../options/readJson.ts";

/** Contract that can be deployed. Its arguments and their types are those of the constructor. */
export interface CatalogueEntry {
  /** Path below `contracts/`, without the extension. */
  readonly source: string;
  /** Whether the contract is deployed by default; if so, every argument has a default. */
  readonly isStandard?: true;
  /** Default arguments, keyed by the constructor's parameter names without trailing underscores. */
  readonly defaults?: Readonly<Record<string, string | boolean>>;
  /** Contracts that its constructor deploys without arguments, in order. */
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

/** Returns the sources of a contract and of the contracts that its constructor deploys. */
export function sourcesOf({ source, children = [] }: CatalogueEntry): string[] {
  return [source, ...children];
}

const DeploymentRequestSchema = Type.Object(
  {
    contract: oneOf(
      catalogueEntries().map(([contract]) => contract),
      "Which contract to deploy.",
    ),
    name: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z][A-Za-z0-9_]{0,63}$",
        description: "Name in this deployment; the contract's name by default.",
      }),
    ),
    arguments: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Constructor arguments by name; see docs/deployment.md.",
      }),
    ),
  },
  { additionalProperties: false },
);

const ParametersSchema = Type.Object(
  { contracts: Type.Array(DeploymentRequestSchema) },
  { additionalProperties: false },
);

type DeploymentRequest = Type.Static<typeof DeploymentRequestSchema>;

/** A request with its path for errors, such as `contracts[1]`. */
export interface LocatedRequest {
  readonly request: DeploymentRequest;
  readonly at: string;
}

export function standardRequests(): LocatedRequest[] {
  return catalogueEntries().flatMap(([contract, { isStandard }]) =>
    isStandard === true ? [{ request: { contract }, at: contract }] : [],
  );
}

/**
 * Reads the standard contracts and the contracts in a parameters file, which replace standard contracts with the same
 * name.
 *
 * @param path undefined for the standard contracts alone
 */
export async function readParameters(path: string | undefined): Promise<LocatedRequest[]> {
  if (path === undefined) return standardRequests();
  const { contracts } = parseParameters(await readJson(path, "--parameters"));
  const asked = contracts.map((request, index) => ({ request, at: `contracts[${index}]` }));
  const names = new Map<string, string>();
  for (const { request, at } of asked) {
    const earlier = names.get(nameOf(request));
    if (earlier !== undefined) {
      throw new InvalidInputError({
        field: `${at}.name`,
        value: nameOf(request),
        reason: `${earlier} has the same name`,
        hint: "Use a different name for each contract.",
      });
    }
    names.set(nameOf(request), at);
  }
  return [...standardRequests().filter(({ request }) => !names.has(nameOf(request))), ...asked];
}

export function nameOf({ name, contract }: DeploymentRequest): string {
  return name ?? contract;
}

function parseParameters(value: unknown): Type.Static<typeof ParametersSchema> {
  const mismatch = findMismatch(ParametersSchema, value);
  if (mismatch === undefined) return value as Type.Static<typeof ParametersSchema>;
  const field = mismatch.path === "" ? "--parameters" : mismatch.path;
  throw new InvalidInputError({
    field,
    value: mismatch.path === "" ? value : valueAt(value, mismatch.path),
    reason: mismatch.reason,
    hint: `Correct ${field}; docs/deployment.md shows the format.`,
  });
}

function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const key of path.match(/[^.[\]"]+/gu) ?? []) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}
