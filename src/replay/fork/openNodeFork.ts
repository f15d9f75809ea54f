import { ChainError, InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import { environmentAfter } from "./blockEnvironment.ts";
import { createFork } from "./createFork.ts";
import { type Engine, EngineError } from "./engine.ts";
import type { Fork } from "./fork.ts";
import { readSource } from "./sourceFacts.ts";
import { createUpstream } from "./upstream/upstream.ts";

/** What {@link openNodeFork} takes. */
export interface NodeForkParameters {
  /** Of a node that may be changed: anvil's or Hardhat's, as a rule one that is a fork itself. */
  readonly nodeUrl: string;
  /** Which chain it must be; any when left out. */
  readonly chainId?: number | undefined;
  /** How long the node may take for one answer; 30 seconds when left out. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 30_000;

/** What not every node can set of its next block, and hardly any call looks at. */
const DISPENSABLE: ReadonlySet<string> = new Set([
  "evm_setBlockGasLimit",
  "hardhat_setCoinbase",
  "hardhat_setPrevRandao",
]);
const METHOD_NOT_FOUND = -32_601;

/**
 * Takes a running anvil or Hardhat node as the fork, in the state that it is in. Closing takes the node back to that
 * state.
 *
 * @throws {@link WrongChainError} when the node is of another chain
 * @throws {@link InvalidStateError} when it is a node whose state nobody can change, such as a real chain's
 * @throws {@link ChainError} when it does not answer; also by each later call
 */
export async function openNodeFork({
  nodeUrl,
  chainId: expectedChainId,
  timeoutMs = TIMEOUT_MS,
  signal,
}: NodeForkParameters): Promise<Fork> {
  // Whoever stops must still be able to take the node back.
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
      const [answer] = await upstream.send([{ method, params }]);
      if (answer === undefined) throw new ChainError({ message: "no answer", hint: "Try again.", chainId });
      if ("result" in answer) return answer.result;
      if (DISPENSABLE.has(method) && answer.error.code === METHOD_NOT_FOUND) return null;
      throw new EngineError(answer.error);
    },
    close: () => Promise.resolve(),
  };
  const snapshot = await engine.request("evm_snapshot").catch((cause: unknown) => {
    if (!(cause instanceof EngineError)) throw cause;
    throw new InvalidStateError({
      message: `${upstream.host} is no node whose state can be changed`,
      hint: "Give the URL of an anvil or Hardhat node, or leave it out: the chain is then forked in this process.",
      cause,
    });
  });
  const fork = createFork({
    chainId,
    block: header,
    environment: environmentAfter(header, undefined),
    engine,
    upstream,
    explain: (error) => error,
    async close() {
      await engine.request("evm_revert", [snapshot]);
    },
    signal,
  });
  try {
    await fork.prepareBlock();
    await fork.request("evm_mine");
    return fork;
  } catch (error) {
    await fork.close();
    throw error;
  }
}
