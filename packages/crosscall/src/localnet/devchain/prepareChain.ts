import { type Account, type Address, type Hex, parseEther } from "viem";
import { toAccount } from "viem/accounts";
import { getCode } from "viem/actions";

import {
  BATCH_EXECUTOR_ADDRESS,
  CREATE2_FACTORY,
  CREATE2_FACTORY_CODE,
  deploy,
  DEPOSITORY_ADDRESS,
  hasCode,
  PERMIT2_ADDRESS,
} from "@crosscall/protocol/chains";
import { compact, WrongChainError } from "@crosscall/protocol/core";
import { DEFAULT_ROUTER, type LocalRouterVersion } from "@crosscall/protocol/generations";
import { readArtifact } from "../../artifacts.ts";
import { planAave } from "./aave.ts";
import { localAccounts } from "./accounts.ts";
import { type ChainClient, chainClient } from "./chainClient.ts";
import { type ChainContracts, planContracts } from "./contracts.ts";
import { allowPermit2, createGive, fundSolver } from "./fundSolver.ts";
import type { LiveChain, LiveToken } from "./liveChains.ts";
import { type ChainNode, localNodeRequest, setNativeBalance } from "./node.ts";
import type { Protocol } from "./options.ts";
import { LOCAL_HUB, localHubCode } from "./oracleHub.ts";
import { orChainError } from "./orChainError.ts";
import { placeTokens } from "./placeTokens.ts";
import { poolNative, poolTransactions } from "./pools.ts";
import { CONTRACT_SOURCES, permit2Code } from "./published.ts";
import { type OwnTransaction, sendAll } from "./sendAll.ts";
import { chainTokens } from "./tokens.ts";

/** Gas limit that suffices for the largest contract with its constructor. */
const DEPLOY_GAS = 8_000_000n;

/** Native balance of the deployer in wei, in addition to the liquidity of the pools. */
const DEPLOYER_NATIVE = parseEther("1000000");

export interface PrepareOptions {
  /** Protocols to deploy in addition to the defaults. */
  readonly protocols?: readonly Protocol[];
  /** Whether the settlement hub is on this chain; false by default. */
  readonly hasHub?: boolean;
  /** Generation of the service's router contract. */
  readonly router?: LocalRouterVersion;
  /** Live chain that this chain copies. */
  readonly live?: LiveChain;
  /** Further tokens. */
  readonly given?: readonly LiveToken[];
}

/**
 * Prepares a local chain for the service: router, depository, Permit2 and batch executor at their live addresses, the
 * kit's contracts, tokens and protocols, and a funded solver. Keeps existing parts, so a chain can be prepared again.
 *
 * @throws {@link WrongChainError} if the RPC URL serves another chain
 * @throws {@link ChainError} if the node does not respond, or cannot set code (only local nodes can)
 */
export function prepareChain(chainId: number, rpcUrl: string, options: PrepareOptions = {}): Promise<ChainContracts> {
  const client = chainClient(chainId, rpcUrl, localAccounts.deployer);
  return orChainError({ id: chainId, rpcUrl }, () => prepare(client, options));
}

/**
 * Prepares a chain of this process as {@link prepareChain} does, but faster, because the node signs for the deployer.
 */
export function prepareOwnChain(
  chainId: number,
  node: ChainNode,
  options: PrepareOptions = {},
): Promise<ChainContracts> {
  const deployer = toAccount(localAccounts.deployer.address);
  const client = chainClient(chainId, node.rpcUrl, deployer, node.transport);
  return orChainError({ id: chainId, rpcUrl: node.rpcUrl }, () => prepare(client, options));
}

/** Returns the contracts of a prepared chain. */
export function plannedContracts({ protocols = [], router, live }: PrepareOptions): ChainContracts {
  const { contracts } = planContracts(router, live);
  return protocols.includes("aave")
    ? { ...contracts, ...aaveContracts(planAave(contracts.dollar).contracts) }
    : contracts;
}

async function prepare(
  client: ChainClient<Account>,
  { protocols = [], hasHub = false, router = DEFAULT_ROUTER, live, given = [] }: PrepareOptions,
): Promise<ChainContracts> {
  const chainId = client.chain.id;
  const actualChainId = await client.getChainId();
  if (actualChainId !== chainId) {
    throw new WrongChainError({
      what: client.chain.rpcUrls.default.http[0] ?? "",
      expectedChainId: chainId,
      actualChainId,
    });
  }

  const { contracts, deployments } = planContracts(router, live);
  const [known] = await Promise.all([
    Promise.all(deployments.map(({ address }) => hasCode(client, address))),
    placeCode(client, CREATE2_FACTORY, CREATE2_FACTORY_CODE),
    placeCode(client, contracts.router, readArtifact(CONTRACT_SOURCES[`router ${router}`]).deployedBytecode),
    placeCode(client, PERMIT2_ADDRESS, permit2Code(chainId)),
    placeCode(client, BATCH_EXECUTOR_ADDRESS, readArtifact(CONTRACT_SOURCES.batchExecutor).deployedBytecode),
    ...(hasHub ? [placeCode(client, LOCAL_HUB.oracleAddress, localHubCode(contracts.attestationVerifier))] : []),
  ]);
  await placeDepository(client);
  await placeTokens(client, [...(live?.tokens ?? []), ...given]);

  const isNew = known.every((isKnown) => !isKnown);
  const supply = {
    contracts,
    tokens: chainTokens(contracts, { ...compact({ live }), given }),
    give: createGive(client),
  };
  const missing = deployments.filter((_, index) => known[index] !== true);
  const work: OwnTransaction[] = [
    ...missing.map(({ data }) => ({ to: CREATE2_FACTORY, data, gas: DEPLOY_GAS })),
    ...(await poolTransactions(client, supply, isNew)),
    ...(await fundSolver(client, supply, isNew)),
  ];
  await allowPermit2(client, supply);
  if (work.length > 0) {
    await setNativeBalance(client, client.account.address, DEPLOYER_NATIVE + poolNative(supply));
    await sendAll(client, work);
  }
  return protocols.includes("aave") ? { ...contracts, ...(await addAave(client, contracts)) } : contracts;
}

async function addAave(
  client: ChainClient<Account>,
  { dollar }: ChainContracts,
): Promise<Pick<ChainContracts, "aavePool" | "aaveToken">> {
  const { contracts, transactions } = planAave(dollar);
  if (!(await hasCode(client, contracts.aToken))) await sendAll(client, transactions);
  return aaveContracts(contracts);
}

function aaveContracts({
  pool,
  aToken,
}: ReturnType<typeof planAave>["contracts"]): Pick<ChainContracts, "aavePool" | "aaveToken"> {
  return { aavePool: pool, aaveToken: aToken };
}

async function placeDepository(client: ChainClient<Account>): Promise<void> {
  if (await hasCode(client, DEPOSITORY_ADDRESS)) return;
  // Owner and allocator are immutables, so the code must come from a deployed instance.
  const artifact = readArtifact(CONTRACT_SOURCES.depository);
  const instance = await deploy(client, {
    artifact,
    args: [localAccounts.deployer.address, localAccounts.allocator.address],
  });
  const code = await getCode(client, { address: instance });
  if (code !== undefined) await placeCode(client, DEPOSITORY_ADDRESS, code);
}

async function placeCode(client: ChainClient<Account>, address: Address, code: Hex): Promise<void> {
  if (await hasCode(client, address)) return;
  await localNodeRequest(client, "hardhat_setCode", [address, code]);
}
