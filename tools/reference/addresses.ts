import { getAddress, isAddress } from "viem";

import {
  BATCH_EXECUTOR_ADDRESS,
  PERMIT2_ADDRESS,
  SOLVER_ADDRESS,
} from "../../packages/protocol/src/chains/serviceAddresses.ts";
import { newestRouter } from "../../packages/sdk/src/verify/trust.ts";
import { TRUST_READ_IN, TRUSTED_CHAINS, type TrustedChain } from "../../packages/sdk/src/verify/trustedChains.ts";
import {
  DEFAULT_ROUTER,
  LOCAL_ROUTER_VERSIONS,
  localRouterAddress,
  type RouterGeneration,
  routerGenerationOf,
  ROUTERS,
} from "../../packages/protocol/src/generations/routers.ts";
import { CREATE2_FACTORY } from "../../packages/protocol/src/chains/create2.ts";
import { LOCAL_CHAIN_IDS } from "../../packages/crosscall/src/commands/deploy/release.ts";
import type { DeploymentRecord } from "../../packages/crosscall/src/commands/deploy/record.ts";
import { releaseRecords } from "./deployments.ts";
import { formatTable, type Generated, withReference } from "./pages.ts";

/** Chains with the same addresses. */
interface Group {
  readonly addresses: string;
  readonly chainIds: number[];
}

/** Generates docs/addresses.md and contracts/testing/Routers.sol from the registry and the deployment records. */
export async function generate(): Promise<Generated> {
  return {
    pages: new Map([
      ["contracts/testing/Routers.sol", toLibrary()],
      ["docs/addresses.md", withReference("docs/addresses.md", toPage(await releaseRecords()))],
    ]),
  };
}

/** Lists the routers that Solidity tests can place on a new chain. */
function toLibrary(): string {
  const nameOf = (version: string): string => `V${version.replace(".", "_")}`;
  return `// SPDX-License-Identifier: MIT
// Generated from the router generations by \`npm run generate\`.
pragma solidity ^0.8.20;

/// @title The service's routers on most EVM chains, by version
library Routers {
${LOCAL_ROUTER_VERSIONS.map((version) => `    address internal constant ${nameOf(version)} = ${getAddress(localRouterAddress(version))};\n`).join("")}
    /// @notice The router that the service uses.
    address internal constant CURRENT = ${nameOf(DEFAULT_ROUTER)};
}
`;
}

function toPage(records: readonly DeploymentRecord[]): string {
  const liveChains = Object.entries(TRUSTED_CHAINS)
    .map(([id, chain]) => [Number(id), chain] as const)
    .filter(([id]) => !LOCAL_CHAIN_IDS.includes(id));
  const serviceGroups = groupBy(liveChains.map(([id, chain]) => [id, listAddresses(chain)]));
  const recordGroups = groupBy(
    records
      .filter(({ chainId }) => !LOCAL_CHAIN_IDS.includes(chainId))
      .map((record) => [record.chainId, listContracts(record)]),
  );
  const recordOf = (chainId: number | undefined) => records.find((record) => record.chainId === chainId);
  const linkGroup = (name: string, groups: readonly Group[], id: number): string => {
    const index = groups.findIndex(({ chainIds }) => chainIds.includes(id)) + 1;
    return index === 0 ? "none" : `[${name} ${index}](#${name}-${index})`;
  };
  const chainRows = liveChains.map(([id, chain]) => {
    const router = newestRouter(chain.routers);
    return [
      String(id),
      chain.name,
      router === undefined ? "" : toCode(router),
      toCode(chain.depositories[0] ?? ""),
      linkGroup("service", serviceGroups, id),
      linkGroup("crosscall", recordGroups, id),
    ];
  });
  return `The service's addresses are as of **${TRUST_READ_IN}**.

## The same on every EVM chain

${formatTable(
  ["contract or account", "address"],
  [
    ["solver: signs requests and receives their payments", toCode(SOLVER_ADDRESS)],
    ["Permit2 (on most chains)", toCode(PERMIT2_ADDRESS)],
    ["batch executor for EIP-7702 (where a delegate is listed)", toCode(BATCH_EXECUTOR_ADDRESS)],
    ["CREATE2 factory of crosscall's deployments", toCode(CREATE2_FACTORY)],
  ],
)}

## Versions of the router

Differences that affect your calls and tools. The approval proxy has the version of its router.

${toVersions()}

## Chains

\`router\` is the one that the service uses, version ${DEFAULT_ROUTER} on most chains; the links list all versions.

${formatTable(["chain id", "name", "router", "depository", "service", "crosscall"], chainRows)}

## The service's contracts

Chains with the same addresses share a section.

${toSections("Service", serviceGroups, (id) => toServiceTable(TRUSTED_CHAINS[id]))}

## crosscall's contracts

Addresses of this release, as in \`@crosscall/contracts/deployments/<chainId>.json\`. \`computed\` means that the address follows
from code and arguments, and that this release has no record of a deployment. Check that the address has code before you use it, or
run [\`crosscall deploy\`](deployment.md): anyone can deploy there, and only this code. \`PushExecutor\` works with every router.
\`RequestReceiver\` names the depository of its chain, so its address differs where the depository does.

${toSections("crosscall", recordGroups, (id) => toContractsTable(recordOf(id)))}

## Local networks

Chains 31337 and 31338 of \`crosscall up\`. The private key of their solver is public: never trust it on another chain.

${toServiceTable(TRUSTED_CHAINS[31_337])}

${toContractsTable(recordOf(31_337))}`;
}

function toVersions(): string {
  const rows = ROUTERS.map((generation: RouterGeneration) => {
    const { version, isOfService, defaultSince, callEvent, keepsGuard, approvesAnyToken, signsValue } = generation;
    return [
      version,
      isOfService ? (defaultSince === undefined ? "earlier" : `since ${defaultSince.slice(0, 10)}`) : "never",
      callEvent === "data" ? "the call data" : "the hash of the call data",
      keepsGuard ? "the fill" : "each call to itself",
      approvesAnyToken ? "any token" : "tokens that return a value from `approve`",
      signsValue ? "calls and native value" : "calls",
    ];
  });
  const head = ["version", "default", "call event has", "guard ends with", "`cleanupErc20sViaCall` takes"];
  return formatTable([...head, "permits with calls sign"], rows);
}

/** Returns a section for chains with the same addresses. */
function toSections(name: string, groups: readonly Group[], toTable: (chainId: number) => string): string {
  const sections = groups.map(
    ({ chainIds }, index) => `### ${name} ${index + 1}\n\n${toChainList(chainIds)}\n\n${toTable(chainIds[0] ?? 0)}`,
  );
  return sections.join("\n\n");
}

function toChainList(chainIds: readonly number[]): string {
  const names = chainIds.map((id) => {
    const name = TRUSTED_CHAINS[id]?.name;
    return name === undefined ? String(id) : `${name} (${id})`;
  });
  return `${chainIds.length === 1 ? "Chain" : "Chains"}: ${names.join(", ")}.`;
}

function toServiceTable(chain: TrustedChain | undefined): string {
  if (chain === undefined) throw new Error("the chain is not pinned");
  const {
    depositories,
    solvers,
    routers = [],
    spenders = [],
    delegates = [],
    programs = [],
    lookupTables = [],
  } = chain;
  const rows = [
    ...depositories.map((address) => ["depository", address]),
    ...solvers.map((address) => ["solver", address]),
    ...routers.map((address) => [withVersion("router", address), address]),
    ...spenders.map((address) => [withVersion("approval proxy", address, "spender"), address]),
    ...delegates.map((address) => ["delegate (EIP-7702)", address]),
    ...programs.map((address) => ["program of an SVM transaction", address]),
    ...lookupTables.map((address) => ["lookup table of an SVM deposit", address]),
  ];
  return formatTable(
    ["what", "address"],
    rows.map(([what = "", address = ""]) => [what, toCode(address)]),
  );
}

function withVersion(what: string, address: string, other = what): string {
  const generation = routerGenerationOf(address);
  return generation === undefined ? other : `${what} ${generation.version}`;
}

function toContractsTable(record: DeploymentRecord | undefined): string {
  const rows = Object.entries(record?.contracts ?? {}).map(([name, { address, state }]) => [
    `\`${name}\``,
    toCode(address),
    state,
  ]);
  return formatTable(["contract", "address", "state"], rows);
}

function listAddresses({ name: _name, ...addresses }: TrustedChain): string {
  return JSON.stringify(addresses).toLowerCase();
}

function listContracts({ contracts }: DeploymentRecord): string {
  return JSON.stringify(Object.entries(contracts).map(([name, { address, state }]) => [name, address, state]));
}

function groupBy(entries: readonly (readonly [chainId: number, addresses: string])[]): readonly Group[] {
  const groups: Group[] = [];
  for (const [chainId, addresses] of entries) {
    const group = groups.find((known) => known.addresses === addresses);
    if (group === undefined) groups.push({ addresses, chainIds: [chainId] });
    else group.chainIds.push(chainId);
  }
  return groups;
}

function toCode(address: string): string {
  return `\`${isAddress(address, { strict: false }) ? getAddress(address) : address}\``;
}
