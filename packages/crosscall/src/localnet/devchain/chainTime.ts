import { type Clock, systemClock, unixSeconds } from "@crosscall/protocol/core";
import { isObject } from "@crosscall/protocol/schema";
import type { ChainClient } from "./chainClient.ts";
import type { DevChain } from "./devChain.ts";
import type { ChainChanges } from "./node.ts";
import { chainTime } from "./readChain.ts";

/**
 * Tracks the time of a chain. The time advances with the machine's clock, so it is only read again after a change that
 * does not report the time.
 *
 * @returns the time of the chain's next block in Unix seconds
 */
export function createChainTime(
  { client, changes }: { readonly client: ChainClient; readonly changes: ChainChanges },
  machine: Clock = systemClock,
): () => Promise<number> {
  let ahead: number | undefined;
  let version = 0;
  changes.subscribe((responses) => {
    version += 1;
    const head = responses.find(({ method }) => method === "eth_getBlockByNumber")?.result;
    const minedAt = isObject(head) ? Number(head.timestamp) : Number.NaN;
    ahead = Number.isNaN(minedAt) ? undefined : minedAt - unixSeconds(machine);
  });
  return async () => {
    if (ahead !== undefined && changes.isComplete) return unixSeconds(machine) + ahead;
    const before = version;
    const time = await chainTime({ client });
    if (version === before) ahead = time - unixSeconds(machine);
    return time;
  };
}

/**
 * Returns the time against which deadlines are checked, in Unix seconds: the later of the service's clock and the
 * chains' times. The service's clock can be set, while tokens, contracts and the oracle compare deadlines with the time
 * of their chain.
 */
export async function latestTime(clock: Clock, chains: readonly Pick<DevChain, "time">[]): Promise<number> {
  return Math.max(unixSeconds(clock), ...(await Promise.all(chains.map(({ time }) => time()))));
}

/** Returns the earliest time of the chains in Unix seconds, or zero if a chain does not respond. */
export async function earliestTime(chains: readonly Pick<DevChain, "time">[]): Promise<number> {
  return Math.min(...(await Promise.all(chains.map(({ time }) => time().catch(() => 0)))));
}
