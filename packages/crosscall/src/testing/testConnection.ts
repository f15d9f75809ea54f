import { createMutex, type Mutex } from "../localnet/devchain/mutex.ts";

/** The network connection of a Hardhat test (`await network.create()`), or any object with an EIP-1193 provider. */
export interface TestConnection {
  readonly provider: TestProvider;
}

/** The provider of a connection. */
export interface TestProvider {
  request(call: { readonly method: string; readonly params?: unknown[] }): Promise<unknown>;
}

const mutexes = new WeakMap<TestProvider, Mutex>();

/** Runs what changes a chain and takes it back: one at a time for each chain, or each would take the others' back. */
export function runExclusive<Result>({ provider }: TestConnection, work: () => Promise<Result>): Promise<Result> {
  const known = mutexes.get(provider) ?? createMutex();
  mutexes.set(provider, known);
  return known(work);
}

/** The block that the chain was forked at; undefined for a chain of its own. */
export async function forkedBlockOf({ provider }: TestConnection): Promise<number | undefined> {
  const { forkedNetwork } = (await provider.request({ method: "hardhat_metadata" })) as {
    readonly forkedNetwork?: { readonly forkBlockNumber: number } | null;
  };
  return forkedNetwork?.forkBlockNumber;
}
