import type { ReplayItem } from "../../../src/campaign/workCampaigns.ts";
import { replay } from "../../../src/replay/replay.ts";
import { requireRpcUrl } from "../../options/rpcUrls.ts";
import { readAbis } from "../readAbis.ts";
import { chainOf } from "../chainOf.ts";
import type { ReplayOptions } from "../replayOptions.ts";
import type { CampaignSubject } from "./subject.ts";

/**
 * Replays the fills of campaigns by the nodes that the options name.
 *
 * @throws {@link InvalidInputError} when an ABI cannot be used
 */
export async function replayingBy(options: ReplayOptions): Promise<ReplayItem> {
  const { rpcUrl, exact, cache } = options;
  const abis = await readAbis(options.abi);
  return ({ subject }, signal) => {
    const input = subject as CampaignSubject;
    return replay({
      input,
      rpcUrl: requireRpcUrl(rpcUrl, chainOf(input)),
      exact: exact === true,
      ...(cache === false ? {} : { cacheFolder: cache }),
      abis,
      signal,
    });
  };
}
