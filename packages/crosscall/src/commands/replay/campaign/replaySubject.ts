import { InvalidInputError, WrongChainError } from "@crosscall/protocol/core";
import { ChainsNotServedError } from "../../../campaign/chainsNotServedError.ts";
import type { ReplayItem } from "../../../campaign/workCampaigns.ts";
import { replay } from "../../../replay/replay.ts";
import type { ReplayInput } from "../../../replay/subject/findFill.ts";
import type { PlannedFill } from "../../../replay/subject/subjectOfPlan.ts";
import { requireRpcUrl } from "../../../options/connectChains.ts";
import { chainOf, readAbis } from "../readInput.ts";
import type { ReplayOptions } from "../replayOptions.ts";

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

/** As stored: every worker replays it the same way. Amounts are decimal strings. */
export type CampaignSubject = (Exclude<ReplayInput, { readonly kind: "plan" }> | StoredPlan) & ReplayedHow;

export interface ReplayedHow {
  /** Whether the transactions before a past fill in its block run first. */
  readonly exact: boolean;
}

interface StoredPlan {
  readonly kind: "plan";
  readonly plan: Omit<PlannedFill, "delivered" | "minimumDelivered"> & { readonly delivered?: string };
}

export function toSubject(input: ReplayInput, { exact }: ReplayedHow): CampaignSubject {
  if (input.kind !== "plan") return { ...input, exact };
  const { delivered, minimumDelivered: _minimum, ...plan } = input.plan;
  return {
    kind: "plan",
    plan: { ...plan, ...(delivered === undefined ? {} : { delivered: String(delivered) }) },
    exact,
  };
}

export function toInput({ exact: _exact, ...input }: CampaignSubject): ReplayInput {
  if (input.kind !== "plan") return input;
  const { delivered, ...plan } = input.plan;
  return { kind: "plan", plan: { ...plan, ...(delivered === undefined ? {} : { delivered: BigInt(delivered) }) } };
}
