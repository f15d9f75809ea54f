import { createPublicClient, custom, defineChain } from "viem";

import { environmentAfter, prepareBlock } from "../replay/fork/blockEnvironment.ts";
import { readHeader } from "../replay/fork/blockHeader.ts";
import { EngineError } from "../replay/fork/engine.ts";
import type { Fork } from "../replay/fork/fork.ts";
import type { TestConnection } from "./testConnection.ts";

/** The most gas that a transaction may have where the rules of Osaka hold (EIP-7825). */
const TRANSACTION_GAS_MAX = 2n ** 24n;

/**
 * Takes the chain of a test for a fork, as a replay has one, at its latest block. What it runs is run as on the chain's
 * own next block.
 */
export async function openTestFork({ provider }: TestConnection): Promise<Fork> {
  const request = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    try {
      return await provider.request({ method, params: [...params] });
    } catch (error) {
      throw toEngineError(error);
    }
  };
  const chainId = Number(await request("eth_chainId"));
  const header = readHeader(chainId, await request("eth_getBlockByNumber", ["latest", false]));
  const gasLimit = header.gasLimit < TRANSACTION_GAS_MAX ? header.gasLimit : TRANSACTION_GAS_MAX;
  // The base fee of the next block is an eighth higher at the most.
  const environment = environmentAfter({ ...header, gasLimit, baseFeePerGas: header.baseFeePerGas * 2n }, undefined);
  return {
    chainId,
    block: header,
    environment,
    client: createPublicClient({
      chain: defineChain({
        id: chainId,
        name: `Test ${chainId}`,
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
    prepareBlock: () => prepareBlock({ request }, environment),
    remoteCalls: 0,
    async isolate(run) {
      const snapshot = await request("evm_snapshot");
      try {
        return await run();
      } finally {
        await request("evm_revert", [snapshot]);
      }
    },
    close: () => Promise.resolve(),
  };
}

/** An error that a node returned. A node that is gone has no JSON-RPC code, and its error is passed on. */
function toEngineError(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "number") return error;
  const { code, message } = error;
  return Object.assign(new EngineError({ code, message, data: "data" in error ? error.data : undefined }), {
    cause: error,
  });
}
