import type { Address, Hex } from "viem";
import { isSameAddress } from "@crosscall/protocol/chains";
import { ChainError } from "@crosscall/protocol/core";
import type { Quote } from "@crosscall/protocol/quote";
import type { RequestRecord } from "@crosscall/protocol/request/records";

import type { FillPlan } from "../fillPlan.ts";
import { openSourceCache, type RemoteCache } from "../fork/remoteCache.ts";
import { createUpstream, type Upstream } from "../fork/upstream.ts";
import { type PastTransaction, readKept, readPastTransaction } from "./pastTransaction.ts";
import type { ReplaySource } from "../replayReport.ts";
import { fillOfRequest } from "./fillOfRequest.ts";
import type { Subject } from "./subject.ts";
import { type PlannedFill, subjectOfPlan } from "./subjectOfPlan.ts";
import { subjectOfQuote } from "./subjectOfQuote.ts";
import { type FillTerms, subjectOfSentFill } from "./subjectOfSentFill.ts";

/** Changes to a fill. With another amount or router, the fill is no longer the fill that was sent. */
export interface FillOverrides {
  /** Delivered amount in the smallest unit. */
  readonly amount?: bigint;
  readonly router?: Address;
  readonly currency?: Address;
  readonly recipient?: Address;
}

export interface FindReplayedParameters {
  readonly input: ReplayInput;
  readonly rpcUrl: string;
  readonly overrides?: FillOverrides;
  /** Folder to cache chain reads in; in memory by default. */
  readonly cacheFolder?: string | undefined;
  /** Timeout of each response; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 30_000;

/** Returns the last block before the fill, or undefined if it is unknown. */
export function blockBefore({ subject, past }: FoundFill): bigint | undefined {
  return past === undefined ? subject.sent?.blockNumber : past.blockNumber - 1n;
}

/**
 * Finds the fill to replay. For plans and quotes, sends no requests to the chain.
 *
 * @throws {@link NothingToReplayError} if the fill has no calls of an order
 * @throws {@link InvalidStateError} if a request has no fill
 * @throws {@link InvalidInputError} if the chain does not have the transaction, or the delivered amount is unknown
 * @throws {@link ChainError} if the chain does not respond
 */
export async function findReplayed(parameters: FindReplayedParameters): Promise<FoundFill> {
  return replaceParts(await findFill(parameters), parameters.overrides ?? {});
}

function replaceParts({ subject, past }: FoundFill, { amount = subject.amount, ...fields }: FillOverrides): FoundFill {
  const { router } = subject.plan;
  const isUnknownValue = amount !== subject.amount || !isSameAddress(fields.router ?? router, router);
  const plan: FillPlan = { ...subject.plan, ...fields };
  return { subject: { ...subject, plan, amount, sent: isUnknownValue ? undefined : subject.sent }, past };
}

/** A transaction or plan to replay. */
export type ReplayInput =
  | { readonly kind: "request"; readonly record: RequestRecord }
  /** Hash of a fill by the solver, on the RPC URL's chain. */
  | { readonly kind: "transaction"; readonly hash: Hex }
  | { readonly kind: "quote"; readonly quote: Quote }
  | { readonly kind: "plan"; readonly plan: PlannedFill };

export interface FoundFill {
  readonly subject: Subject;
  readonly past: PastTransaction | undefined;
}

async function findFill(parameters: FindReplayedParameters): Promise<FoundFill> {
  const { input, overrides } = parameters;
  switch (input.kind) {
    case "plan":
      return { subject: subjectOfPlan(input.plan), past: undefined };
    case "quote":
      return { subject: subjectOfQuote(input.quote), past: undefined };
    case "transaction":
      return findIncluded({ source: input, hash: input.hash, chainId: undefined, terms: {} }, parameters);
    case "request": {
      const { source, chainId, terms, fill } = fillOfRequest(input.record);
      if (fill.kind === "included") return findIncluded({ source, hash: fill.hash, chainId, terms }, parameters);
      const { transaction, blockNumber } = fill;
      const sent = { transaction, hash: undefined, blockNumber };
      return { subject: subjectOfSentFill({ source, chainId, sent, terms, overrides }), past: undefined };
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
  { rpcUrl, overrides, cacheFolder, timeoutMs = TIMEOUT_MS, signal }: FindReplayedParameters,
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
    terms,
    overrides,
  });
  return { subject, past };
}

async function readChainId(upstream: Upstream, cache: RemoteCache): Promise<number> {
  const [chainId] = await readKept(upstream, cache, [{ method: "eth_chainId", params: [] }]);
  return Number(chainId);
}
