import { CrosscallError, WrongChainError } from "@crosscall/sdk/internal/core/errors";
import { asChainError, connectTarget } from "../options/target.ts";
import type { Check } from "./check.ts";

/** Longer than the block time of every chain of the service. */
const MAX_AGE_SECONDS = 120;

const UNSUPPORTED = "Finality is judged by confirmations instead; replay and the oracle work.";

export interface ChainFacts {
  /** `url`, or `id=url`. */
  readonly rpcUrl: string;
  readonly signal: AbortSignal;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** An endpoint's chain id, its latest block, and its finalized one. Shows no URL: it may contain a key. */
export async function checkChain({ rpcUrl, signal, now }: ChainFacts): Promise<readonly Check[]> {
  const [, id, url = rpcUrl] = /^(\d{1,15})=(.*)$/u.exec(rpcUrl) ?? [];
  const area = "chain" as const;
  const of = id === undefined ? "the endpoint" : `the endpoint of ${id}`;
  try {
    const { chainId, client } = await connectTarget(url, id === undefined ? undefined : Number(id), signal);
    const latest = await asChainError(chainId, () => client.getBlock());
    const age = Math.round(now() / 1_000) - Number(latest.timestamp);
    const isCurrent = age <= MAX_AGE_SECONDS;
    const finalized = await client.getBlock({ blockTag: "finalized" }).catch(() => undefined);
    return [
      { area, name: `${of} responds`, state: "ok", seen: `chain ${chainId}` },
      {
        area,
        name: `chain ${chainId} is current`,
        state: isCurrent ? "ok" : "warning",
        seen: `block ${latest.number}, ${age} s old`,
        ...(isCurrent ? {} : { hint: "Check that the node is in sync. Local chains mine only for transactions." }),
      },
      {
        area,
        name: `chain ${chainId} reports finality`,
        state: finalized === undefined ? "warning" : "ok",
        seen: finalized === undefined ? "no finalized block" : `${latest.number - finalized.number} blocks behind`,
        ...(finalized === undefined ? { hint: UNSUPPORTED } : {}),
      },
    ];
  } catch (error) {
    if (!(error instanceof CrosscallError)) throw error;
    const seen = error instanceof WrongChainError ? `chain ${error.actualChainId}` : error.message;
    return [{ area, name: `${of} responds`, state: "failed", seen, hint: error.hint }];
  }
}
