import { ChainsNotServedError } from "../../../src/campaign/chainsNotServedError.ts";
import type { ReplayItem } from "../../../src/campaign/workCampaigns.ts";
import { InvalidInputError, WrongChainError } from "@crosscall/sdk/internal/core/errors";
import { replay } from "../../../src/replay/replay.ts";
import { requireRpcUrl } from "../../options/connectChains.ts";
import { readAbis } from "../readAbis.ts";
import { chainOf } from "../chainOf.ts";
import type { ReplayOptions } from "../replayOptions.ts";
import { type CampaignSubject, toInput } from "./subject.ts";

/** @throws {@link InvalidInputError} for an invalid ABI */
export async function replayingBy(options: ReplayOptions): Promise<ReplayItem> {
  const { rpcUrl, cache } = options;
  const abis = await readAbis(options.abi);
  return async ({ subject }, signal) => {
    const { exact } = subject as CampaignSubject;
    const input = toInput(subject as CampaignSubject);
    const chainId = chainOf(input);
    try {
      return await replay({
        input,
        rpcUrl: requireRpcUrl(rpcUrl, chainId),
        exact,
        ...(cache === false ? {} : { cacheFolder: cache }),
        abis,
        signal,
      });
    } catch (cause) {
      if (chainId === undefined || !isWithoutNode(cause)) throw cause;
      throw new ChainsNotServedError({ chainIds: [chainId], cause });
    }
  };
}

/** Without a node of its chain, nothing is known about the fill. */
function isWithoutNode(error: unknown): boolean {
  return error instanceof WrongChainError || (error instanceof InvalidInputError && error.field === "--rpc-url");
}
