import { createMutex, type Mutex } from "../localnet/devchain/mutex.ts";
import { readHeader } from "../replay/fork/blockHeader.ts";
import { createFork, EngineError, environmentAfter, type Fork } from "../replay/fork/fork.ts";

/** The network connection of a Hardhat test (`await network.create()`), or any object with an EIP-1193 provider. */
export interface TestConnection {
  readonly provider: TestProvider;
}

/** The provider of a connection. */
interface TestProvider {
  request(call: { readonly method: string; readonly params?: unknown[] }): Promise<unknown>;
}

const mutexes = new WeakMap<TestProvider, Mutex>();

/** Runs work that changes a chain and reverts it, one at a time, or each would revert the others' changes. */
export function runExclusive<Result>({ provider }: TestConnection, work: () => Promise<Result>): Promise<Result> {
  const known = mutexes.get(provider) ?? createMutex();
  mutexes.set(provider, known);
  return known(work);
}

/** Returns the block that the chain was forked at; undefined for a local chain. */
export async function forkedBlockOf({ provider }: TestConnection): Promise<number | undefined> {
  const { forkedNetwork } = (await provider.request({ method: "hardhat_metadata" })) as {
    readonly forkedNetwork?: { readonly forkBlockNumber: number } | null;
  };
  return forkedNetwork?.forkBlockNumber;
}

/** Maximum gas of a transaction under the rules of Osaka (EIP-7825). */
const TRANSACTION_GAS_MAX = 2n ** 24n;

/**
 * Uses the chain of a test as the fork of a replay, at its latest block. Calls run as in the chain's next
 * block.
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
  // The next block's base fee is at most an eighth higher.
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

/** Converts an error that a node returned. Rethrows the error of an unreachable node, which has no JSON-RPC code. */
function toEngineError(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "number") return error;
  const { code, message } = error;
  return Object.assign(new EngineError({ code, message, data: "data" in error ? error.data : undefined }), {
    cause: error,
  });
}
