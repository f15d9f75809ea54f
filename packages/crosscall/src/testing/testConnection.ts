import { createMutex, type Mutex } from "../localnet/devchain/mutex.ts";
import { readHeader } from "../replay/fork/blockHeader.ts";
import { createFork, EngineError, environmentAfter, type Fork } from "../replay/fork/fork.ts";

/** The network connection of a Hardhat test (`await network.create()`), or any object with an EIP-1193 provider. */
export interface TestConnection {
  readonly provider: TestProvider;
}

/** Provider of a connection. */
interface TestProvider {
  request(call: { readonly method: string; readonly params?: unknown[] }): Promise<unknown>;
}

const mutexes = new WeakMap<TestProvider, Mutex>();

/** Runs functions that change and revert a chain one at a time, so that they do not revert each other's changes. */
export function runExclusive<Result>({ provider }: TestConnection, work: () => Promise<Result>): Promise<Result> {
  const known = mutexes.get(provider) ?? createMutex();
  mutexes.set(provider, known);
  return known(work);
}

/** Returns the block at which the chain was forked, or undefined for a local chain. */
export async function forkedBlockOf({ provider }: TestConnection): Promise<number | undefined> {
  const { forkedNetwork } = (await provider.request({ method: "hardhat_metadata" })) as {
    readonly forkedNetwork?: { readonly forkBlockNumber: number } | null;
  };
  return forkedNetwork?.forkBlockNumber;
}

/** Maximum gas of a transaction under the rules of Osaka (EIP-7825). */
const TRANSACTION_GAS_MAX = 2n ** 24n;

/** Uses the chain of a test as the fork of a replay, at its latest block. Calls run as if in the chain's next block. */
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
  // The base fee of the next block is at most an eighth higher.
  const environment = environmentAfter({ ...header, gasLimit, baseFeePerGas: header.baseFeePerGas * 2n }, undefined);
  const close = (): Promise<void> => Promise.resolve();
  return createFork({
    chainId,
    block: header,
    environment,
    engine: { request, close },
    sent: () => 0,
    explain: (error) => error,
    close,
    signal: undefined,
  });
}

/**
 * Converts an error that a node returned. Rethrows an error without a JSON-RPC code, which means that the node is
 * unreachable.
 */
function toEngineError(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "number") return error;
  const { code, message } = error;
  return Object.assign(new EngineError({ code, message, data: "data" in error ? error.data : undefined }), {
    cause: error,
  });
}
