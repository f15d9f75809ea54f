import { type Hex, http, numberToHex } from "viem";

import { ChainError, InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import type { Log } from "../log.ts";
import { localAccountList } from "./accounts.ts";
import { chainClient } from "./chainClient.ts";
import { type ChainControls, createChainControls } from "./chainControls.ts";
import { chainCurrencies } from "./currencies.ts";
import type { DevChain } from "./devChain.ts";
import { startEdrChain } from "./edr.ts";
import { createFaucet } from "./faucet.ts";
import { openForeignNode } from "./foreignNode.ts";
import type { ChainNode } from "./node.ts";
import type { ChainOptions, Protocol } from "./options.ts";
import { orChainError } from "./orChainError.ts";
import { localPools } from "./pools.ts";
import { prepareChain, prepareOwnChain } from "./prepareChain.ts";

/** What every account of the network has on a fork at least, in wei. */
const FORK_BALANCE = "0x21e19e0c9bab2400000";

/** How long the chain to fork may take for its first answer. */
const FORK_TIMEOUT_MS = 15_000;

/** A chain of a network, with all that can be done to it. */
export interface StartedChain {
  readonly chain: DevChain;
  readonly controls: ChainControls;
  /** Hash of a block that no other chain of this id has: the first one; on a fork the first of its own. */
  readonly identity: Hex;
  /** The last block before the network came: no deposit for an order of a new database can be in it. */
  readonly blockBefore: number;
  /** Ends what the network does to the chain, and then its node. */
  close(): Promise<void>;
}

/**
 * Starts or opens the node of a chain, and prepares it.
 *
 * @throws {@link ChainError} when the node cannot be used
 */
export async function startChain(
  options: ChainOptions,
  log: Log,
  protocols: readonly Protocol[] = [],
): Promise<StartedChain> {
  const node = await startNode(options);
  try {
    const { id, rpcUrl = node.rpcUrl } = options;
    return await orChainError({ id, rpcUrl }, () => startOn(node, options, log, protocols));
  } catch (error) {
    await node.close();
    throw error;
  }
}

async function startOn(
  node: ChainNode,
  options: ChainOptions,
  log: Log,
  protocols: readonly Protocol[],
): Promise<StartedChain> {
  const { id, rpcUrl: nodeUrl = node.rpcUrl, forkUrl, miningIntervalMs = 0, latencyMs = 0 } = options;
  const { depositConfirmations = 0 } = options;
  const isFork = forkUrl !== undefined;
  const blockBefore = await readHeight(node);
  if (isFork) await claimFork(node);
  const client = chainClient(id, node.rpcUrl, undefined, node.transport);
  // A given node is prepared by its own URL, so that errors name it.
  const direct = chainClient(id, nodeUrl);
  const isNew = options.rpcUrl === undefined && !isFork;
  const contracts = await (isNew ? prepareOwnChain(id, node, protocols) : prepareChain(id, nodeUrl, protocols));
  const { hash } = await direct.getBlock({ blockNumber: BigInt(isFork ? blockBefore + 1 : 0) });
  const running = createChainControls({
    chainId: id,
    node,
    firstBlock: await readHeight(node),
    fund: createFaucet({ chainId: id, node, contracts, currencies: chainCurrencies(id, contracts) }),
    log,
  });
  const { controls } = running;
  if (miningIntervalMs > 0) await controls.setMining({ intervalMs: miningIntervalMs });
  await controls.setLatency({ latencyMs });
  const name = `Local ${id}`;
  const pools = localPools(contracts);
  return {
    chain: {
      id,
      name,
      protocolChainId: `local-${id}`,
      rpcUrl: node.rpcUrl,
      contracts,
      pools,
      depositConfirmations,
      client,
    },
    controls,
    identity: hash,
    blockBefore,
    async close() {
      await running.close();
      await node.close();
    },
  };
}

async function startNode({ id, rpcUrl, forkUrl, forkBlock }: ChainOptions): Promise<ChainNode> {
  if (rpcUrl !== undefined) return openForeignNode(rpcUrl);
  if (forkUrl === undefined) return startEdrChain(id);
  try {
    await requireBlock(forkUrl, forkBlock);
    return await startEdrChain(id, {
      fork: { url: forkUrl, ...(forkBlock === undefined ? {} : { blockNumber: forkBlock }) },
    });
  } catch (cause) {
    throw new ChainError({
      message: `chain ${id} could not be forked`,
      hint: "Check that the node responds and has the block with its state.",
      chainId: id,
      cause,
    });
  }
}

/** Asks for the block first: the node in this process would ask a URL that does not answer for minutes. */
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
 * Gives the network its accounts back: their keys are public, so that on live chains others have put code there and
 * spent what came. And makes the first block of the fork's own, because the node runs calls on those only.
 */
async function claimFork(node: ChainNode): Promise<void> {
  for (const { address } of localAccountList) {
    await node.request("hardhat_setCode", [address, "0x"]);
    await node.request("hardhat_setBalance", [address, FORK_BALANCE]);
  }
  await node.request("evm_mine");
}

async function readHeight(node: ChainNode): Promise<number> {
  return Number(await node.request("eth_blockNumber"));
}
