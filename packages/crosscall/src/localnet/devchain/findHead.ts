import { abortable } from "@crosscall/protocol/core";
import type { DevChain } from "./devChain.ts";

/** A chain that takes longer to return its head counts as down. */
const TIMEOUT_MS = 2_000;

/** The number of the latest block; undefined if the chain does not respond. */
export async function findHead({ client, id }: Pick<DevChain, "client" | "id">): Promise<number | undefined> {
  try {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    return Number(await abortable(client.getBlockNumber({ cacheTime: 0 }), timeout, `the head of chain ${id}`));
  } catch {
    return undefined;
  }
}
