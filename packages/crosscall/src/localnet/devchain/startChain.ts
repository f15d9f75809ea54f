import { type Hex, http, numberToHex } from "viem";

import { ChainError, compact, InvalidInputError } from "@crosscall/protocol/core";
import type { Log } from "../log.ts";
import { redactCause } from "../redactUrl.ts";
import { localAccountList, relayerAccount } from "./accounts.ts";
import { chainClient } from "./chainClient.ts";
import { type ChainControls, createChainControls } from "./chainControls.ts";
import type { ChainSnapshot } from "./chainRecord.ts";
import { createChainTime } from "./chainTime.ts";
import type { DevChain } from "./devChain.ts";
import { startEdrChain } from "./edr.ts";
import { createFaucet } from "./faucet.ts";
import { finalizeIdleChain } from "./finalizeIdleChain.ts";
import { openForeignNode } from "./foreignNode.ts";
import type { GivenToken } from "./likeMainnet.ts";
import type { Reach } from "./serveRpc.ts";
import type { ChainNode } from "./node.ts";
import type { ChainOptions } from "./options.ts";
import { orChainError } from "./orChainError.ts";
import { withPoolPrices } from "./poolPrices.ts";
import { localPools } from "./pools.ts";
import { plannedContracts, prepareChain, type PrepareOptions, prepareOwnChain } from "./prepareChain.ts";
import { chainTokens } from "./tokens.ts";

/** Minimum balance in wei of every account of the network on a fork. */
const FORK_BALANCE = "0x21e19e0c9bab2400000";

/** Timeout for the first response of the forked chain's node. */
const FORK_TIMEOUT_MS = 15_000;

export interface StartedChain {
  readonly options: ChainOptions;
  readonly chain: DevChain;
  readonly controls: ChainControls;
  /** Hash of a block that identifies this chain: its first block, or on a fork, the first block after the fork. */
  readonly identity: Hex;
  /** Number of a block before all deposits for orders of a new database. */
  readonly blockBefore: number;
  /** Runs work while nothing changes the chain; absent if the chain runs in another process. */
  readonly hold?: <Result>(work: (state: HeldChain) => Promise<Result>) => Promise<Result>;
  close(): Promise<void>;
}

/** State of a chain of this process. */
export interface HeldChain {
  readonly node: ChainSnapshot;
  readonly blockBefore: number;
  /** The block with the network's contracts. */
  readonly firstBlock: number;
}

/** State that recreates a chain of this process. */
export interface SavedChainState extends HeldChain {
  /** Unix seconds at which the chain's clock resumes, unless its last block is later. */
  readonly time: number;
}

/** Contracts and tokens to add to a chain. */
export interface ChainParts extends Omit<PrepareOptions, "given"> {
  /** Further tokens. On a fork, missing prices are read from its pools. */
  readonly given?: readonly GivenToken[];
}

export async function startChain(
  options: ChainOptions,
  log: Log,
  prepared: ChainParts = {},
  state?: SavedChainState,
  reach: Reach = {},
): Promise<StartedChain> {
  const node = await startNode(options, reach, state);
  try {
    const { id, rpcUrl = node.rpcUrl } = options;
    return await orChainError({ id, rpcUrl }, () => startOn(node, options, log, prepared, state));
  } catch (error) {
    await node.close();
    throw error;
  }
}

async function startOn(
  node: ChainNode,
  options: ChainOptions,
  log: Log,
  { given = [], ...parts }: ChainParts,
  state: SavedChainState | undefined,
): Promise<StartedChain> {
  const { id, rpcUrl: nodeUrl = node.rpcUrl, forkUrl, miningIntervalMs = 0, latencyMs = 0, blockTimeMs = 0 } = options;
  const { depositConfirmations = 0 } = options;
  const { live } = parts;
  const isFork = forkUrl !== undefined;
  const blockBefore = state?.blockBefore ?? (await readHeight(node));
  if (isFork && state === undefined) await claimFork(node);
  const client = chainClient(id, node.rpcUrl, undefined, node.transport, node.changes);
  const fork = forkUrl === undefined ? undefined : { id, client, forkUrl, forkBlock: blockBefore };
  const prepared: PrepareOptions = { ...parts, given: await withPoolPrices(given, fork) };
  // Prepares a foreign node through its own URL, so that errors name this URL.
  const direct = chainClient(id, nodeUrl);
  const isNew = options.rpcUrl === undefined && !isFork;
  const contracts =
    state !== undefined
      ? plannedContracts(prepared)
      : await (isNew ? prepareOwnChain(id, node, prepared) : prepareChain(id, nodeUrl, prepared));
  const tokens = chainTokens(contracts, prepared);
  const firstBlock = state?.firstBlock ?? (await readHeight(node));
  const { hash } = await direct.getBlock({ blockNumber: BigInt(isFork ? blockBefore + 1 : 0) });
  const running = createChainControls({
    chainId: id,
    node,
    firstBlock,
    fund: createFaucet({ chainId: id, node, contracts, tokens }),
    blockTimeMs,
    log,
  });
  const { controls } = running;
  if (miningIntervalMs > 0) await controls.setMining({ intervalMs: miningIntervalMs });
  else await running.start();
  const { hold, finalBlocks } = node;
  if (finalBlocks !== undefined) finalBlocks.first = firstBlock;
  const minesOnDemand = () => running.minesOnDemand();
  const stopFinalizing =
    finalBlocks === undefined ? undefined : finalizeIdleChain({ node, final: finalBlocks, minesOnDemand, log });
  await controls.setLatency({ latencyMs });
  return {
    options,
    chain: {
      id,
      name: live?.displayName ?? `Local ${id}`,
      protocolChainId: live?.protocolChainId ?? `local-${id}`,
      rpcUrl: node.rpcUrl,
      contracts,
      tokens,
      ...compact({ live }),
      pools: localPools(contracts, tokens),
      depositConfirmations,
      finality: { blocks: finalBlocks?.blocks ?? 0, seconds: finalBlocks?.seconds ?? 0 },
      client,
      changes: node.changes,
      time: createChainTime({ client, changes: node.changes }),
    },
    controls,
    identity: hash,
    blockBefore,
    ...(hold === undefined
      ? {}
      : { hold: (work) => hold((snapshot) => work({ node: snapshot, blockBefore, firstBlock })) }),
    async close() {
      await stopFinalizing?.();
      await running.close();
      await node.close();
    },
  };
}

async function startNode(
  { id, rpcUrl, rpcPort, forkUrl, forkBlock, hardfork, gasPriceGwei, finality }: ChainOptions,
  reach: Reach,
  state?: SavedChainState,
): Promise<ChainNode> {
  const snapshot = state === undefined ? undefined : { ...state.node, time: state.time };
  // Callers outside this process use the node itself.
  if (rpcUrl !== undefined) return openForeignNode(rpcUrl, reach.names);
  const gasPrice = gasPriceGwei === undefined ? undefined : BigInt(Math.round(gasPriceGwei * 1e9));
  if (forkUrl === undefined)
    return startEdrChain(id, compact({ ...reach, hardfork, snapshot, gasPrice, finality, port: rpcPort }));
  try {
    await requireBlock(forkUrl, forkBlock);
    return await startEdrChain(id, {
      ...compact({ ...reach, port: rpcPort }),
      fork: { url: forkUrl, ...(forkBlock === undefined ? {} : { blockNumber: forkBlock }) },
      hardfork,
      gasPrice,
      finality,
      snapshot,
    });
  } catch (cause) {
    throw new ChainError({
      message: `chain ${id} could not be forked`,
      hint: "Check that the node responds and has the block and its state.",
      chainId: id,
      cause: redactCause(cause, forkUrl),
    });
  }
}

/**
 * Checks that the forked chain has the block, because the in-process node would call an unresponsive URL for minutes.
 */
async function requireBlock(forkUrl: string, forkBlock: number | undefined): Promise<void> {
  const transport = http(forkUrl, { retryCount: 0, timeout: FORK_TIMEOUT_MS })({});
  const tag = forkBlock === undefined ? "latest" : numberToHex(forkBlock);
  const block: unknown = await transport.request({ method: "eth_getBlockByNumber", params: [tag, false] });
  if (block !== null) return;
  throw new InvalidInputError({
    field: "forkBlock",
    value: forkBlock,
    reason: "does not exist on the forked chain",
    hint: "Use an earlier block, or omit it.",
  });
}

/**
 * Resets these accounts: their keys are public, so some have code on live chains. Also mines the first block of the
 * fork, because the node runs calls only on its own blocks.
 */
async function claimFork(node: ChainNode): Promise<void> {
  for (const { address } of [...localAccountList, relayerAccount]) {
    await node.request("hardhat_setCode", [address, "0x"]);
    await node.request("hardhat_setBalance", [address, FORK_BALANCE]);
  }
  await node.request("evm_mine");
}

async function readHeight(node: ChainNode): Promise<number> {
  return Number(await node.request("eth_blockNumber"));
}
