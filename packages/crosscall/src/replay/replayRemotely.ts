import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { ChainError } from "@crosscall/protocol/core";
import { type Address, numberToHex } from "viem";

import { type Envelope, assembleEnvelope, selectTrials, envelopeGas } from "./envelope/envelope.ts";
import { type EnvelopeRangeOptions, envelopeRange, spreadAmounts } from "./envelope/envelopeRange.ts";
import type { EnvelopeProgress, EnvelopeOptions } from "./envelope/measureEnvelope.ts";
import type { FillPlan } from "./fillPlan.ts";
import { blockBefore, findReplayed, type FindReplayedParameters } from "./subject/findFill.ts";
import { searchBorders } from "./envelope/searchBorders.ts";
import { readSource } from "./fork/sourceFacts.ts";
import { createUpstream, type Upstream } from "./fork/upstream.ts";
import type { StateNode } from "./fork/fork.ts";
import { openRemoteTrials } from "./envelope/remoteTrials.ts";

interface ReplayRemotelyParameters extends FindReplayedParameters {
  readonly envelope?: EnvelopeRangeOptions | undefined;
  /** Last block before the fill; by default the block before the original fill, else the latest. */
  readonly blockNumber?: bigint | undefined;
  readonly onProgress?: ((progress: EnvelopeProgress) => void) | undefined;
}

/** Result of `replayRemotely`. */
interface RemoteReplay {
  readonly plan: FillPlan;
  /** Delivered amount in the smallest unit of the plan's currency. */
  readonly amount: bigint;
  /** Whether the fill works with that amount, or with all tried amounts if the envelope does not contain the amount. */
  readonly works: boolean;
  readonly envelope: Envelope;
}

/**
 * Tries a fill with a range of delivered amounts over RPC, without a fork or a call tree.
 *
 * @throws the errors of `findReplayed` and `measureRemoteEnvelope`
 */
export async function replayRemotely(parameters: ReplayRemotelyParameters): Promise<RemoteReplay> {
  rejectUnknownOptions(parameters, {
    envelope: 1,
    blockNumber: 1,
    onProgress: 1,
    input: 1,
    rpcUrl: 1,
    overrides: 1,
    cacheFolder: 1,
    timeoutMs: 1,
    signal: 1,
  });
  const { rpcUrl, envelope: range, timeoutMs, signal, onProgress } = parameters;
  const found = await findReplayed(parameters);
  const { plan, amount } = found.subject;
  const blockNumber = parameters.blockNumber ?? blockBefore(found);
  const envelope = await measureRemoteEnvelope(plan, { ...range, rpcUrl, blockNumber, timeoutMs, signal, onProgress });
  const holding = envelope.ranges.filter(({ from, to }) => from <= amount && amount <= to);
  const works = (holding.length === 0 ? envelope.ranges : holding).every(({ success }) => success);
  return { plan, amount, works, envelope };
}

interface RemoteEnvelopeOptions extends EnvelopeOptions {
  readonly rpcUrl: string;
  /** Last block before the fills; the latest by default. */
  readonly blockNumber?: bigint | undefined;
  /** Output currencies to measure, with the zero address for native currency; found in the calls by default. */
  readonly outputs?: readonly Address[] | undefined;
  /** Gas limit of each `eth_call`; the node's limit by default. A higher limit means fewer requests. */
  readonly callGas?: bigint | undefined;
  /** Timeout of each response; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 30_000;

/** Number of amounts per batch during the search for borders. */
const WIDTH = 64;

/**
 * Measures an envelope like `measureEnvelope`, but without a fork: a few `eth_call` requests with state overrides run
 * all amounts on the chain's node. The results have limits: the failed call is unknown, outputs that neither the calls
 * nor the node list must be given, and fills run in the block itself instead of the next block.
 *
 * @returns the envelope, with gas before refunds; receipts have up to a fifth less
 * @throws {@link InvalidInputError} for an invalid range, or an unknown block
 * @throws {@link InvalidStateError} if the token's balances cannot be set, or the node's gas limit is below that of a
 * fill
 * @throws {@link WrongChainError} if the URL serves a different chain than the plan's
 * @throws {@link ChainError} if the node does not respond, or does not support state overrides
 * @throws {@link AbortedError} when the signal fires
 */
export async function measureRemoteEnvelope(plan: FillPlan, options: RemoteEnvelopeOptions): Promise<Envelope> {
  const { rpcUrl, blockNumber, outputs, callGas, timeoutMs = TIMEOUT_MS, signal, onProgress } = options;
  const range = envelopeRange(plan, options);
  const requested = spreadAmounts(range);
  const { chainId } = plan;
  const stopping = signal ?? new AbortController().signal;
  const upstream = createUpstream({ rpcUrl, chainId, timeoutMs, signal: stopping });
  const { header } = await readSource({ upstream, rpcUrl, chainId, blockNumber, cacheFolder: undefined });
  const trials = await openRemoteTrials(remoteNode(upstream, chainId), {
    plan,
    largest: range.to,
    block: numberToHex(header.number),
    blockGasLimit: header.gasLimit,
    hasCallDataFloor: header.rules === "prague",
    callGas,
    outputs,
  });
  let count = 0;
  const tried = await searchBorders({
    amounts: requested,
    width: WIDTH,
    signal,
    async tryAmounts(amounts) {
      const results = await trials.tryAmounts(amounts);
      count += results.length;
      onProgress?.({ tried: count, planned: Math.max(count, requested.length) });
      return results;
    },
  });
  const selected = await trials.withTransactionGas(selectTrials(tried, requested));
  const gas = await envelopeGas({
    trials: selected,
    blockGasLimit: header.gasLimit,
    worksWith: (trial, limit) => trials.worksWith(trial, limit),
  });
  return assembleEnvelope(selected, gas);
}

/** Creates a client of a node that only reads. */
function remoteNode(upstream: Upstream, chainId: number): StateNode {
  return {
    async request(method, params = []) {
      const [response] = await upstream.send([{ method, params }]);
      if (response !== undefined && "result" in response) return response.result;
      throw new ChainError({
        message: `${upstream.host} rejected ${method}: ${response?.error.message ?? "no response"}`,
        hint: "Use the RPC URL of a node that supports state overrides in eth_call, or replay on a fork.",
        chainId,
        cause: response?.error,
      });
    },
  };
}
