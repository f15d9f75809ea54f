// Generates docs/addresses.md from the pinned registry and the deployment records, and contracts/testing/Routers.sol from
// the generations of routers. `--check` writes nothing and fails if one is out of date.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { getAddress, isAddress } from "viem";

import {
  BATCH_EXECUTOR_ADDRESS,
  PERMIT2_ADDRESS,
  SOLVER_ADDRESS,
} from "../packages/protocol/src/chains/serviceAddresses.ts";
import { newestRouter } from "../packages/sdk/src/verify/trust.ts";
import { TRUST_READ_IN, TRUSTED_CHAINS, type TrustedChain } from "../packages/sdk/src/verify/trustedChains.ts";
import {
  DEFAULT_ROUTER,
  LOCAL_ROUTER_VERSIONS,
  localRouterAddress,
  type RouterGeneration,
  routerGenerationOf,
  ROUTERS,
} from "../packages/protocol/src/generations/routers.ts";
import { formatTable, report, writePages } from "./reference/writePages.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const LOCAL_CHAIN_IDS = [31_337, 31_338];

interface DeployedContract {
  readonly address: string;
  readonly state: string;
}

interface DeploymentRecord {
  readonly chainId: number;
  readonly factory: string;
  readonly contracts: Readonly<Record<string, DeployedContract>>;
}

/** Chains with the same addresses. */
interface Group {
  readonly addresses: string;
  readonly chainIds: number[];
}

const records = globSync("deployments/*.json", { cwd: ROOT })
  .map((path) => JSON.parse(readFileSync(`${ROOT}${path}`, "utf8")) as DeploymentRecord)
  .toSorted((left, right) => left.chainId - right.chainId);
const liveChains = Object.entries(TRUSTED_CHAINS)
  .map(([id, chain]) => [Number(id), chain] as const)
  .filter(([id]) => !LOCAL_CHAIN_IDS.includes(id));
const serviceGroups = groupBy(liveChains.map(([id, chain]) => [id, listAddresses(chain)]));
const recordGroups = groupBy(
  records
    .filter(({ chainId }) => !LOCAL_CHAIN_IDS.includes(chainId))
    .map((record) => [record.chainId, listContracts(record)]),
);

const HEAD = `# Addresses

Look up the service's contracts and crosscall's contracts by chain. Generated from the sources by \`npm run generate\`.

The service's addresses are those that the SDK pins: before anything is signed, [\`verifyQuote\`](verifying.md#pinned-addresses) accepts
these and no others. They were read in **${TRUST_READ_IN}** from:

- routers, approval proxies and solvers: the service's page "Contract addresses" and its changelog (docs.relay.link)
- names and depositories: the network files of github.com/relayprotocol/relay-settlement
- delegates: the service's published SDK

The service can deploy new versions at any time. Compare the pinned addresses with what it reports now (\`GET /chains\`):

\`\`\`console
$ crosscall doctor --api-url https://…
\`\`\`

If \`doctor\` reports a difference, check the new address with the service's publisher, then upgrade crosscall or add the address to
[\`trust\`](verifying.md#pinned-addresses).

In code, read the same values:

\`\`\`typescript
import { serviceTrust } from "@crosscall/sdk/verify";
import base from "@crosscall/contracts/deployments/8453.json" with { type: "json" };

serviceTrust[8453]?.routers; // the service's routers on Base
base.contracts.PushExecutor.address; // crosscall's executor on Base
\`\`\`

## The same on every EVM chain

${formatTable(
  ["contract or account", "address"],
  [
    ["solver: signs requests and receives their payments", toCode(SOLVER_ADDRESS)],
    ["Permit2 (on most chains)", toCode(PERMIT2_ADDRESS)],
    ["batch executor for EIP-7702 (where a delegate is listed)", toCode(BATCH_EXECUTOR_ADDRESS)],
    ["CREATE2 factory of crosscall's deployments", toCode(records[0]?.factory ?? "")],
  ],
)}
`;

report(
  writePages(
    new Map([
      ["contracts/testing/Routers.sol", toLibrary()],
      ["docs/addresses.md", toPage()],
    ]),
  ),
);

/** The routers that tests in Solidity can place on a new chain. */
function toLibrary(): string {
  const nameOf = (version: string): string => `V${version.replace(".", "_")}`;
  return `// SPDX-License-Identifier: MIT
// Generated from the generations of routers by \`npm run generate\`.
pragma solidity ^0.8.20;

/// @title The service's routers on most EVM chains, by version
library Routers {
${LOCAL_ROUTER_VERSIONS.map((version) => `    address internal constant ${nameOf(version)} = ${getAddress(localRouterAddress(version))};\n`).join("")}
    /// @notice The router that the service uses.
    address internal constant CURRENT = ${nameOf(DEFAULT_ROUTER)};
}
`;
}

function toPage(): string {
  return [
    HEAD,
    "## Versions of the router",
    "",
    "What your calls and tools see. The approval proxy has the version of its router.",
    "",
    formatTable(
      [
        "version",
        "default",
        "call event has",
        "guard ends with",
        "`cleanupErc20sViaCall` takes",
        "permits with calls sign",
      ],
      toVersions(),
    ),
    "",
    "## Chains",
    "",
    `\`router\` is the one that the service uses, of version ${DEFAULT_ROUTER} on most chains; the links list all versions.`,
    "",
    formatTable(["chain id", "name", "router", "depository", "service", "crosscall"], toRows()),
    "",
    "## The service's contracts",
    "",
    "Chains with the same addresses share a section.",
    "",
    ...serviceGroups.map(toServiceSection),
    "## crosscall's contracts",
    "",
    "Addresses of this release, as in `deployments/<chainId>.json`. `computed` means that the address follows from code and arguments, and",
    "that this release has no record of a deployment. Check that the address has code before you use it, or run",
    "[`crosscall deploy`](deployment.md): anyone can deploy there, and only this code. `PushExecutor` works with every router.",
    "`RequestReceiver` names the depository of its chain, so it has another address where that differs.",
    "",
    ...recordGroups.map(toContractsSection),
    "## Local networks",
    "",
    "Chains 31337 and 31338 of `crosscall up`. The private key of their solver is public: never trust it on another chain.",
    "",
    toServiceTable(TRUSTED_CHAINS[31_337]),
    "",
    toContractsTable(records.find(({ chainId }) => chainId === 31_337)),
    "",
  ].join("\n");
}

function toVersions(): readonly (readonly string[])[] {
  return ROUTERS.map((generation: RouterGeneration) => {
    const { version, isOfService, defaultSince, callEvent, keepsGuard, approvesAnyToken, signsValue } = generation;
    return [
      version,
      isOfService ? (defaultSince === undefined ? "earlier" : `since ${defaultSince.slice(0, 10)}`) : "never",
      callEvent === "data" ? "the call data" : "the hash of the call data",
      keepsGuard ? "the fill" : "each call to itself",
      approvesAnyToken ? "any token" : "tokens that return from `approve`",
      signsValue ? "calls and native value" : "calls",
    ];
  });
}

function toRows(): readonly (readonly string[])[] {
  return liveChains.map(([id, chain]) => {
    const service = serviceGroups.findIndex(({ chainIds }) => chainIds.includes(id));
    const contracts = recordGroups.findIndex(({ chainIds }) => chainIds.includes(id));
    const router = newestRouter(chain.routers);
    return [
      String(id),
      chain.name,
      router === undefined ? "" : toCode(router),
      toCode(chain.depositories[0] ?? ""),
      `[service ${service + 1}](#service-${service + 1})`,
      contracts < 0 ? "none" : `[crosscall ${contracts + 1}](#crosscall-${contracts + 1})`,
    ];
  });
}

function toServiceSection({ chainIds }: Group, index: number): string {
  const [first = 0] = chainIds;
  return [`### Service ${index + 1}`, "", toChainList(chainIds), "", toServiceTable(TRUSTED_CHAINS[first]), ""].join(
    "\n",
  );
}

function toContractsSection({ chainIds }: Group, index: number): string {
  const [first] = chainIds;
  const record = records.find(({ chainId }) => chainId === first);
  return [`### crosscall ${index + 1}`, "", toChainList(chainIds), "", toContractsTable(record), ""].join("\n");
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
  const { depositories, solvers, routers = [], spenders = [], delegates = [], programs = [] } = chain;
  const rows = [
    ...depositories.map((address) => ["depository", address]),
    ...solvers.map((address) => ["solver", address]),
    ...routers.map((address) => [withVersion("router", address), address]),
    ...spenders.map((address) => [withVersion("approval proxy", address, "spender"), address]),
    ...delegates.map((address) => ["delegate (EIP-7702)", address]),
    ...programs.map((address) => ["program of an SVM transaction", address]),
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
