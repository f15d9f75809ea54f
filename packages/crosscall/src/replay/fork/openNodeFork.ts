import { ChainError, InvalidStateError } from "@crosscall/protocol/core";
import { createFork, type Engine, EngineError, environmentAfter, type Fork, mineFirst } from "./fork.ts";
import { readSource } from "./sourceFacts.ts";
import { createUpstream } from "./upstream.ts";

export interface NodeForkParameters {
  /** URL of a node with mutable state: anvil or Hardhat, usually itself a fork. */
  readonly nodeUrl: string;
  /** Required chain id; any chain by default. */
  readonly chainId?: number | undefined;
  /** Timeout of each response; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 30_000;

/** Methods that set block fields that few calls read. Not every node supports them. */
const DISPENSABLE: ReadonlySet<string> = new Set([
  "evm_setBlockGasLimit",
  "hardhat_setCoinbase",
  "hardhat_setPrevRandao",
]);
const METHOD_NOT_FOUND = -32_601;

/**
 * Uses a running anvil or Hardhat node in its current state as the fork. Closing the fork restores that state.
 *
 * @throws {@link WrongChainError} if the node serves another chain
 * @throws {@link InvalidStateError} if the node's state cannot be changed, as on a live chain
 * @throws {@link ChainError} if the node does not respond; also by later calls
 */
export async function openNodeFork({
  nodeUrl,
  chainId: expectedChainId,
  timeoutMs = TIMEOUT_MS,
  signal,
}: NodeForkParameters): Promise<Fork> {
  // Does not pass the signal, because the node's state must be restored even after an abort.
  const upstream = createUpstream({
    rpcUrl: nodeUrl,
    chainId: expectedChainId,
    timeoutMs,
    signal: new AbortController().signal,
  });
  const { chainId, header } = await readSource({
    upstream,
    rpcUrl: nodeUrl,
    chainId: expectedChainId,
    blockNumber: undefined,
    cacheFolder: undefined,
  });
  const engine: Engine = {
    async request(method, params = []) {
      const [response] = await upstream.send([{ method, params }]);
      if (response === undefined) throw new ChainError({ message: "no response", hint: "Try again.", chainId });
      if ("result" in response) return response.result;
      if (DISPENSABLE.has(method) && response.error.code === METHOD_NOT_FOUND) return null;
      throw new EngineError(response.error);
    },
    close: () => Promise.resolve(),
  };
  const snapshot = await engine.request("evm_snapshot").catch((cause: unknown) => {
    if (!(cause instanceof EngineError)) throw cause;
    throw new InvalidStateError({
      message: `${upstream.host} does not support changes to its state`,
      hint: "Pass the URL of an anvil or Hardhat node, or omit --node to fork the chain in this process.",
      cause,
    });
  });
  const fork = createFork({
    chainId,
    block: header,
    environment: environmentAfter(header, undefined),
    engine,
    sent: () => upstream.sent,
    explain: (error) => error,
    async close() {
      await engine.request("evm_revert", [snapshot]);
    },
    signal,
  });
  return mineFirst(fork);
}
