import type { Hex } from "viem";

import type { Quote } from "@crosscall/protocol/quote";
import type { RequestRecord } from "@crosscall/protocol/request/records";
import { ChainError } from "@crosscall/protocol/core";
import { openSourceCache, type RemoteCache } from "../fork/upstream/remoteCache.ts";
import { createUpstream, type Upstream } from "../fork/upstream/upstream.ts";
import { type PastTransaction, readKept, readPastTransaction } from "../past/pastTransaction.ts";
import type { ReplaySource } from "../replayReport.ts";
import { fillOfRequest } from "./fillOfRequest.ts";
import type { Subject } from "./subject.ts";
import { type PlannedFill, subjectOfPlan } from "./subjectOfPlan.ts";
import { subjectOfQuote } from "./subjectOfQuote.ts";
import { type FillTerms, subjectOfSentFill } from "./subjectOfSentFill.ts";

/** What can be replayed. */
export type ReplayInput =
  | { readonly kind: "request"; readonly record: RequestRecord }
  /** A fill of the solver, on the RPC URL's chain. */
  | { readonly kind: "transaction"; readonly hash: Hex }
  | { readonly kind: "quote"; readonly quote: Quote }
  | { readonly kind: "plan"; readonly plan: PlannedFill };

export interface FoundFill {
  readonly subject: Subject;
  readonly past: PastTransaction | undefined;
}

export interface FindFillOptions {
  readonly rpcUrl: string;
  readonly terms?: FillTerms;
  readonly cacheFolder?: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Plans and quotes need no call of the chain.
 *
 * @throws {@link NothingToReplayError} if there are no calls of an order
 * @throws {@link InvalidStateError} if a request has no fill
 * @throws {@link InvalidInputError} if the chain has no such transaction, or the delivered amount is unknown
 * @throws {@link ChainError} if the chain does not respond
 */
export async function findFill(input: ReplayInput, options: FindFillOptions): Promise<FoundFill> {
  switch (input.kind) {
    case "plan":
      return { subject: subjectOfPlan(input.plan), past: undefined };
    case "quote":
      return { subject: subjectOfQuote(input.quote), past: undefined };
    case "transaction":
      return findIncluded({ source: input, hash: input.hash, chainId: undefined, terms: {} }, options);
    case "request": {
      const { source, chainId, terms, fill } = fillOfRequest(input.record);
      if (fill.kind === "included") return findIncluded({ source, hash: fill.hash, chainId, terms }, options);
      const { transaction, blockNumber } = fill;
      const sent = { transaction, hash: undefined, blockNumber };
      const subject = subjectOfSentFill({ source, chainId, sent, terms: { ...terms, ...options.terms } });
      return { subject, past: undefined };
    }
  }
}

interface IncludedFill {
  readonly source: ReplaySource;
  readonly hash: Hex;
  readonly chainId: number | undefined;
  readonly terms: FillTerms;
}

async function findIncluded(
  { source, hash, chainId, terms }: IncludedFill,
  { rpcUrl, terms: better, cacheFolder, timeoutMs, signal }: FindFillOptions,
): Promise<FoundFill> {
  const upstream = createUpstream({ rpcUrl, chainId, timeoutMs, signal });
  const cache = await openSourceCache(cacheFolder, rpcUrl);
  const past = await readPastTransaction(upstream, hash, cache);
  const { from, to, data, value, blockNumber } = past;
  if (to === undefined) {
    throw new ChainError({
      message: `transaction ${hash} creates a contract, so it is not a fill`,
      hint: "Pass the hash of a fill with calls, on its destination chain.",
      chainId,
    });
  }
  const subject = subjectOfSentFill({
    source,
    chainId: chainId ?? (await readChainId(upstream, cache)),
    sent: { transaction: { from, to, data, value }, hash, blockNumber },
    terms: { ...terms, ...better },
  });
  return { subject, past };
}

async function readChainId(upstream: Upstream, cache: RemoteCache): Promise<number> {
  const [chainId] = await readKept(upstream, cache, [{ method: "eth_chainId", params: [] }]);
  return Number(chainId);
}
