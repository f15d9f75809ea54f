import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { bytesToHex, custom, numberToHex, RpcRequestError } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import { createLocalNames } from "@crosscall/oracle/server";
import {
  type ChainChange,
  changesChain,
  type Checkpoint,
  readBlock,
  repeatChanges,
  type RepeatedChain,
} from "./chainRecord.ts";
import { openEdr } from "./edrProvider.ts";
import { FinalBlocks } from "./finalBlocks.ts";
import { createMutex } from "./mutex.ts";
import { ChainChanges, type ChainNode, type KnownResponse, Latency } from "./node.ts";
import type { Finality, Hardfork } from "./options.ts";
import { isFreePort, type Reach, REVERTED, serveRpc } from "./serveRpc.ts";

export interface EdrFork {
  readonly url: string;
  /** Number of the last forked block; the latest by default. */
  readonly blockNumber?: number;
}

export interface EdrOptions extends Reach {
  readonly fork?: EdrFork;
  /** Snapshot whose chain is recreated. `fork` and `hardfork` must match that chain. */
  readonly snapshot?: RepeatedChain | undefined;
  readonly hardfork?: Hardfork | undefined;
  /** Constant gas price, in wei. */
  readonly gasPrice?: bigint | undefined;
  /** Depth of final blocks; zero by default. */
  readonly finality?: Finality | undefined;
  /** Port to listen on; a free port by default. */
  readonly port?: number;
}

const MINING_METHODS: ReadonlySet<string> = new Set([
  "eth_sendTransaction",
  "eth_sendRawTransaction",
  "evm_mine",
  "hardhat_mine",
]);

/**
 * Starts an EVM chain in this process (Hardhat's EDR), or a fork of an EVM chain.
 *
 * @param chainId chain id, which can differ from the forked chain's id
 * @throws {@link InvalidStateError} if the port is in use
 */
export async function startEdrChain(
  chainId: number,
  {
    fork,
    snapshot,
    hardfork = "prague",
    gasPrice,
    finality = {},
    port: wantedPort = 0,
    names = createLocalNames([]),
    listen = "127.0.0.1",
  }: EdrOptions = {},
): Promise<ChainNode> {
  const genesisTime = snapshot?.genesisTime ?? Math.floor(Date.now() / 1_000);
  if (!(await isFreePort(wantedPort, listen))) {
    throw new InvalidStateError({
      message: `chain ${chainId} cannot listen on port ${wantedPort} of ${listen}`,
      hint: "Use another port, or stop the process that uses this one.",
    });
  }
  // Each fork caches its reads in a separate folder, because forks of local chains must not share a cache.
  const cacheDir = fork === undefined ? "" : await mkdtemp(join(tmpdir(), "crosscall-fork-"));
  const fees = gasPrice === undefined ? undefined : splitPrice(gasPrice);
  const latency = new Latency();
  const announced = new ChainChanges(true);
  const runExclusive = createMutex();
  /** Cached responses at the latest block, if the last change mined it; otherwise empty. */
  let responses: readonly KnownResponse[] = [];
  const runChange = <Result>(work: () => Promise<Result>): Promise<Result> =>
    runExclusive(async () => {
      try {
        return await work();
      } finally {
        announced.announce(responses);
      }
    });
  const checkpoints: Checkpoint[] = [];
  const changes: ChainChange[] = [];
  const listeners = new Set<(subscription: string, result: unknown) => void>();
  const node = await openEdr({
    chainId,
    hardfork,
    genesisTime,
    fork: fork === undefined ? undefined : { ...fork, cacheDir },
    responses: fees === undefined ? {} : priceResponses(fees),
    onNotification: (subscription, result) => listeners.forEach((listener) => listener(subscription, result)),
  });
  const { request } = node;
  const finalBlocks = new FinalBlocks(finality, request);
  const height = async (): Promise<number> => Number(await request("eth_blockNumber"));
  const changeNow = async (method: string, given: readonly unknown[] = []): Promise<unknown> => {
    // The caller could modify its transaction.
    const params = structuredClone(given);
    responses = [];
    // The node does not announce blocks that it mines at an interval.
    if (method === "evm_setIntervalMining") announced.isComplete = params[0] === 0;
    if (!MINING_METHODS.has(method)) {
      if (method === "evm_revert") forgetFrom(checkpoints, params);
      changes.push({ method, params });
      return request(method, params);
    }
    const before = await height();
    // Keeps the state before each block, so that the block can be reverted. Only the last state per height is needed.
    if (checkpoints.at(-1)?.height === before) checkpoints.pop();
    checkpoints.push({ height: before, snapshotId: (await changeNow("evm_snapshot")) as string });
    try {
      return await request(method, params);
    } finally {
      const isMined = (await height()) > before;
      const { timestamp } = isMined ? await readBlock(request, before + 1) : {};
      changes.push({ method, params, ...(timestamp === undefined ? {} : { timestamp }) });
      if (isMined) {
        await keepBaseFee();
        responses = await readHead(request);
      }
    }
  };
  // Otherwise, the base fee would follow the gas that blocks use.
  const keepBaseFee = async (): Promise<void> => {
    if (fees !== undefined) await changeNow("hardhat_setNextBlockBaseFeePerGas", [numberToHex(fees.base)]);
  };
  /** Sends a call as a program outside of this process does. */
  const receive = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    await latency.wait();
    if (!changesChain(method)) return request(method, await finalBlocks.resolve(params));
    return runChange(() => changeNow(method, params));
  };
  if (snapshot !== undefined) {
    await repeatChanges(request, snapshot);
    changes.push(...snapshot.changes);
    checkpoints.push(...snapshot.checkpoints);
  } else {
    await keepBaseFee();
  }
  const server = await serveRpc({ receive, listeners, names, listen, port: wantedPort });
  const rpcUrl = server.url;

  return {
    rpcUrl,
    latency,
    changes: announced,
    finalBlocks,
    transport: custom({
      async request(call: { readonly method: string; readonly params?: readonly unknown[] }) {
        try {
          return await receive(call.method, call.params ?? []);
        } catch (error) {
          throw toRpcError(error, { ...call }, rpcUrl);
        }
      },
    }),
    request: (method, params) =>
      changesChain(method) ? runChange(() => changeNow(method, params)) : request(method, params),
    hold: (work) =>
      runExclusive(async () => {
        const { number, hash } = await readBlock(request);
        return work({ genesisTime, changes: [...changes], checkpoints: [...checkpoints], height: number, head: hash });
      }),
    reorg: (blocks) =>
      runChange(async () => {
        const latest = await height();
        const last = checkpoints.findLastIndex((checkpoint) => checkpoint.height <= latest - blocks);
        const [checkpoint] = checkpoints.splice(Math.max(last, 0));
        if (last < 0 || checkpoint === undefined || (await changeNow("evm_revert", [checkpoint.snapshotId])) !== true) {
          throw new InvalidStateError({
            message: `the state ${blocks} blocks ago is not available`,
            hint: "Use fewer blocks. Revert snapshots of the node before a reorg, not after it.",
          });
        }
        for (const { hash } of (await request("eth_pendingTransactions")) as { hash: string }[]) {
          await changeNow("hardhat_dropTransaction", [hash]);
        }
        // Otherwise, the new blocks could have the same hashes as the replaced ones.
        const random = bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
        await changeNow("hardhat_setPrevRandao", [random]);
        for (let at = await height(); at < latest; at += 1) {
          await changeNow("evm_mine");
        }
      }),
    async close() {
      latency.end();
      await server.close();
      node.close();
      if (fork !== undefined) await rm(cacheDir, { recursive: true, force: true });
    },
  };
}

interface Fees {
  /** Wei. */
  readonly base: bigint;
  readonly priority: bigint;
}

/** Splits a gas price into fees, of which a tenth is the priority fee. */
function splitPrice(gasPrice: bigint): Fees {
  const priority = gasPrice / 10n;
  return { base: gasPrice - priority, priority };
}

/** Returns the responses to price calls. The node itself would suggest a priority fee of 1 gwei. */
function priceResponses({ base, priority }: Fees): Readonly<Record<string, string>> {
  return { eth_gasPrice: numberToHex(base + priority), eth_maxPriorityFeePerGas: numberToHex(priority) };
}

/** Reads the state that quotes and fills read at each new block. */
async function readHead(request: ChainNode["request"]): Promise<KnownResponse[]> {
  const [head, gasPrice, priorityFee] = await Promise.all([
    request("eth_getBlockByNumber", ["latest", false]),
    request("eth_gasPrice"),
    request("eth_maxPriorityFeePerGas"),
  ]);
  const { hash } = head as { readonly hash: string };
  return [
    { method: "eth_getBlockByNumber", params: ["latest", false], result: head },
    { method: "eth_getBlockByHash", params: [hash, false], result: head },
    { method: "eth_gasPrice", result: gasPrice },
    { method: "eth_maxPriorityFeePerGas", result: priorityFee },
  ];
}

const INTERNAL_ERROR = -32_603;

function toRpcError(cause: unknown, body: Record<string, unknown>, url: string): RpcRequestError {
  const { code = INTERNAL_ERROR, message = String(cause), data } = cause as Partial<RpcRequestError>;
  const { data: inner = data } = (data ?? {}) as { readonly data?: unknown };
  return new RpcRequestError({ body, url, error: { code, message, data: code === REVERTED ? inner : data } });
}

/** Forgets a snapshot and all later snapshots, because reverting to a snapshot discards them. */
function forgetFrom(checkpoints: Checkpoint[], [id]: readonly unknown[]): void {
  if (typeof id !== "string") return;
  const first = checkpoints.findIndex(({ snapshotId }) => Number(snapshotId) >= Number(id));
  if (first >= 0) checkpoints.splice(first);
}
