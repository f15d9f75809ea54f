import { createPublicClient, custom, defineChain } from "viem";

import { abortable, throwIfAborted } from "@crosscall/protocol/core";
import { type BlockEnvironment, prepareBlock } from "./blockEnvironment.ts";
import { type Engine, EngineError } from "./engine.ts";
import type { Fork, ForkBlock } from "./fork.ts";
import type { Upstream } from "./upstream/upstream.ts";

export interface CreateForkParameters {
  readonly chainId: number;
  readonly block: ForkBlock;
  readonly environment: BlockEnvironment;
  readonly engine: Engine;
  readonly upstream: Upstream;
  /** Translates a failure of the engine. */
  readonly explain: (error: unknown) => unknown;
  readonly close: () => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

export function createFork(parameters: CreateForkParameters): Fork {
  const { chainId, block, environment, engine, upstream, explain, close, signal } = parameters;
  const request = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    throwIfAborted(signal, "the replay");
    try {
      return await abortable(engine.request(method, params), signal, "the replay");
    } catch (error) {
      throw explain(error);
    }
  };
  return {
    chainId,
    block,
    environment,
    client: createPublicClient({
      chain: defineChain({
        id: chainId,
        name: `Fork of ${chainId}`,
        nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
        rpcUrls: { default: { http: [] } },
      }),
      transport: custom(
        { request: ({ method, params }: { method: string; params?: unknown[] }) => request(method, params) },
        { retryCount: 0 },
      ),
      cacheTime: 0,
    }),
    request,
    get remoteCalls() {
      return upstream.sent;
    },
    prepareBlock: () => prepareBlock({ request }, environment),
    async isolate(run) {
      const snapshot = await request("evm_snapshot");
      try {
        return await run();
      } finally {
        // Also after an abort: a later caller must find a clean state.
        await engine.request("evm_revert", [snapshot]).catch((error: unknown) => {
          if (!(error instanceof EngineError)) throw error;
        });
      }
    },
    close,
  };
}
