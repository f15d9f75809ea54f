// Writes test/vectors/oracle.json: `node test/integration/oracle/vectors/generate.ts`.
import { writeFileSync } from "node:fs";

import type { ChainConfig } from "../../../../packages/oracle/src/chainFiles.ts";
import { ORACLE_KEY } from "../../support/oracleNetwork.ts";
import { startRecordedServer } from "../support/recordedServer.ts";
import * as solana from "../support/solanaShapes.ts";
import * as tron from "../support/tronShapes.ts";
import type { VmTypes } from "./derive.ts";
import {
  type Case,
  depositCase,
  DEPOSITORY,
  evmDepositCases,
  fastCases,
  randomOrderCases,
  solverCases,
} from "./evmCases.ts";
import {
  BITCOIN_DEPOSITORY,
  bitcoinFamily,
  hyperliquidFamily,
  type Service,
  solanaFamily,
  tronFamily,
} from "./familyCases.ts";
import { respondBy, askVector, type Exchange, startVectorOracle, type Vector, type VectorSetup } from "./file.ts";
import {
  balanceCases,
  EVM_CHAIN_IDS,
  HUB,
  HUB_CHAIN_ID,
  openHubWorlds,
  recoverCases,
  signatureCases,
  withdrawalCases,
} from "./hubCases.ts";
import { LIGHTER_DEPOSITORY, LIGHTER_HUB_CHAIN_ID, lighterFamily } from "./lighterCases.ts";
import { EvmWorld, hashOf, NOW, rpcService } from "./world.ts";

const OUTPUT = new URL("../../../vectors/oracle.json", import.meta.url);
const UPSTREAM = "http://upstream";

function evmChain(id: string, additionalData: ChainConfig["additionalData"] = {}): ChainConfig {
  const hubChainId = EVM_CHAIN_IDS[id] === undefined ? {} : { hubChainId: EVM_CHAIN_IDS[id] };
  const entry = { id, vmType: "ethereum-vm", httpRpcUrl: `${UPSTREAM}/${id}`, depository: DEPOSITORY } as const;
  return { ...entry, ...hubChainId, additionalData };
}

const tiers = [
  { maxAmount: "100", finalizationBlocks: 3, finalizationTime: 10 },
  { maxAmount: "1000", finalizationBlocks: 5, finalizationTime: 20 },
];

const setup: VectorSetup = {
  privateKey: ORACLE_KEY,
  clock: NOW * 1000,
  apiKeys: ["vectors"],
  chains: [
    evmChain("base"),
    evmChain("polygon", { finalizationBlocks: 20, finalizationTime: 100 }),
    evmChain("zksync", { isZksyncStack: true }),
    evmChain("fast", { fastMode: { finalityTiers: { [`0x${"0".repeat(40)}`]: tiers } } }),
    { id: "bare", vmType: "ethereum-vm", httpRpcUrl: `${UPSTREAM}/bare`, additionalData: {} },
    {
      id: "solana",
      vmType: "solana-vm",
      httpRpcUrl: `${UPSTREAM}/solana`,
      depository: solana.DEPOSITORY,
      additionalData: {},
    },
    {
      id: "bitcoin",
      vmType: "bitcoin-vm",
      httpRpcUrl: `${UPSTREAM}/bitcoin`,
      depository: BITCOIN_DEPOSITORY,
      additionalData: {},
    },
    {
      id: "bitcoin-explorer",
      vmType: "bitcoin-vm",
      httpRpcUrl: `${UPSTREAM}/bitcoin-explorer`,
      depository: BITCOIN_DEPOSITORY,
      additionalData: { esploraCompatibleApiUrl: `${UPSTREAM}/bitcoin-explorer` },
    },
    {
      id: "tron",
      vmType: "tron-vm",
      httpRpcUrl: `${UPSTREAM}/tron/jsonrpc`,
      depository: tron.depository.text,
      additionalData: {},
    },
    {
      id: "hyperliquid",
      vmType: "hyperliquid-vm",
      httpRpcUrl: `${UPSTREAM}/hyperliquid`,
      depository: `0x${"11".repeat(20)}`,
      additionalData: {},
    },
    {
      id: "lighter",
      vmType: "lighter-vm",
      httpRpcUrl: `${UPSTREAM}/lighter`,
      depository: LIGHTER_DEPOSITORY,
      hubChainId: LIGHTER_HUB_CHAIN_ID,
      additionalData: { explorerApiUrl: `${UPSTREAM}/lighter/api` },
    },
  ],
  hub: {
    id: "relay",
    evmChainId: HUB_CHAIN_ID,
    httpRpcUrl: `${UPSTREAM}/hub`,
    oracleAddress: HUB.oracle,
    oracleVersion: "2",
    rateLimiter: { address: HUB.limiter, type: "amount" },
    genericMappingAddress: HUB.mapping,
    allocatorAddress: HUB.allocator,
    executorAddress: HUB.executor,
    depositAddressManagerAddress: HUB.manager,
    auroraHttpRpcUrl: `${UPSTREAM}/aurora`,
    auroraEvmChainId: 1_313_161_554,
    auroraAllocatorAddress: HUB.auroraAllocator,
    auroraAllocatorSpenderAddress: HUB.auroraSpender,
  },
};

/** Requests that are rejected before any read. */
function rejectedCases(): Case[] {
  const request = { chainId: "base", transactionId: hashOf("base transaction 0") };
  const deposit = (name: string, change: object) => ({
    ...depositCase(name, "base", request.transactionId),
    ...change,
  });
  return [
    deposit("no key", { apiKey: "" }),
    deposit("unknown key", { apiKey: "unknown" }),
    deposit("no transaction", { request: { chainId: "base" } }),
    deposit("unknown mode", { request: { ...request, mode: "instant" } }),
    deposit("unknown chain", { request: { ...request, chainId: "nowhere" } }),
    deposit("chain named __proto__", { request: { ...request, chainId: "__proto__" } }),
    deposit("the hub as a chain", { request: { ...request, chainId: "relay" } }),
    deposit("chain without a depository", { request: { ...request, chainId: "bare" } }),
    deposit("number as a chain", { request: { ...request, chainId: 8453 } }),
    deposit("nothing", { request: {} }),
    ...["solver-fills/v1", "transfer/v1", "recover/v1", "deposit-address-triggers/v1", "withdraw-requests/v1"].map(
      (route) => ({ name: "nothing", route, request: {} }),
    ),
  ];
}

const vms: VmTypes = new Map(setup.chains.map(({ id, vmType }) => [id, vmType]));
const hub = openHubWorlds();
const worlds = ["base", "polygon", "zksync", "fast", "bare"].map((name) => new EvmWorld(name, EVM_CHAIN_IDS[name]));
const [base, polygon, , fast] = worlds as [EvmWorld, EvmWorld, EvmWorld, EvmWorld];
const families = {
  solana: await solanaFamily(vms),
  bitcoin: await bitcoinFamily(vms, "bitcoin"),
  "bitcoin-explorer": await bitcoinFamily(vms, "bitcoin-explorer"),
  tron: await tronFamily(vms),
  hyperliquid: await hyperliquidFamily(vms, hub),
  lighter: await lighterFamily(vms, hub),
};
const cases: readonly Case[] = [
  ...rejectedCases(),
  ...evmDepositCases(worlds.slice(0, 4)),
  ...fastCases(fast),
  ...(await solverCases(base)),
  ...(await randomOrderCases([base, polygon], 30)),
  ...(await withdrawalCases(hub, base)),
  ...(await withdrawalCases(hub, polygon)),
  ...(await balanceCases(hub, base)),
  ...(await recoverCases(hub, base)),
  ...(await signatureCases(hub, "base")),
  ...(await signatureCases(hub, "polygon")),
  ...Object.values(families).flatMap((family) => family.cases),
];

const services = new Map<string, Service>([
  ...[...worlds, hub.hub, hub.aurora].map((world): [string, Service] => [
    world.name,
    rpcService((method, params) => world.answer(method, params)),
  ]),
  ...Object.entries(families).map(([name, { service }]): [string, Service] => [name, service]),
]);

const CHAIN_ID = "eth_chainId []";
const exchanges = new Map<string, Exchange>();
for (const name of Object.keys(EVM_CHAIN_IDS)) {
  const call = `/${name} ${CHAIN_ID}`;
  exchanges.set(call, { call, ...services.get(name)!(CHAIN_ID) });
}
let reads = new Set<string>();
const upstream = await startRecordedServer(
  respondBy((call) => {
    const [, name = ""] = /^\/([^/ ?]+)/u.exec(call) ?? [];
    const service = services.get(name);
    if (service === undefined) throw new Error(`no service for ${call}`);
    const exchange = { call, ...service(call.slice(name.length + 1).replace(/^ /u, "")) };
    if (!exchanges.has(call)) exchanges.set(call, exchange);
    // Oracles check their endpoints at startup, regardless of the request.
    if (!call.includes(CHAIN_ID)) reads.add(call);
    return exchange;
  }),
);

const vectors: Vector[] = [];
for (const next of cases) {
  reads = new Set();
  // Each vector uses a new oracle without cached reads, so it lists all exchanges that it needs.
  const oracle = await startVectorOracle(setup, upstream.url);
  const answer = await askVector(oracle, setup, next);
  await oracle.close();
  const order = [...exchanges.keys()];
  vectors.push({ ...next, ...answer, reads: [...reads].map((call) => order.indexOf(call)).toSorted((a, b) => a - b) });
}
upstream.close();

const lines = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(",\n");
const { chains, ...rest } = setup;
writeFileSync(
  OUTPUT,
  `${JSON.stringify(rest).slice(0, -1)},\n"chains":[\n${lines(chains)}],\n"exchanges":[\n${lines([...exchanges.values()])}],\n"vectors":[\n${lines(vectors)}]}\n`,
);
const byStatus = Map.groupBy(vectors, ({ status }) => status);
for (const [status, found] of byStatus) console.log(`${status}: ${found.length}`);
