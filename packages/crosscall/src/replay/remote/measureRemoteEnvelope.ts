import { ChainError } from "@crosscall/protocol/core";
import { type Address, numberToHex } from "viem";

import { assembleEnvelope, selectTrials } from "../envelope/assembleEnvelope.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { envelopeGas } from "../envelope/envelopeGas.ts";
import { envelopeRange } from "../envelope/envelopeRange.ts";
import type { EnvelopeOptions } from "../envelope/measureEnvelope.ts";
import { searchBorders } from "../envelope/searchBorders.ts";
import { spreadAmounts } from "../envelope/spreadAmounts.ts";
import type { FillPlan } from "../fillPlan.ts";
import { readSource } from "../fork/sourceFacts.ts";
import { createUpstream, type Upstream } from "../fork/upstream/upstream.ts";
import type { StateNode } from "../stateNode.ts";
import { openRemoteTrials } from "./remoteTrials.ts";

export interface RemoteEnvelopeOptions extends EnvelopeOptions {
  readonly rpcUrl: string;
  /** The last block before the fills; the latest by default. */
  readonly blockNumber?: bigint | undefined;
  /** Outputs to measure, the zero address for native currency; found in the calls by default. */
  readonly outputs?: readonly Address[] | undefined;
  /** Gas limit of each `eth_call`; the node's by default. More gas means fewer calls. */
  readonly callGas?: bigint | undefined;
  /** Per response; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 30_000;

/** Amounts per batch while borders are searched. */
const WIDTH = 64;

/**
 * Like `measureEnvelope`, without a fork: a few `eth_call` with state overrides run all amounts on the chain's node. It
 * shows less: not which call failed; outputs that neither calls nor the node name must be given; fills run in the block
 * itself, not in the next one.
 *
 * @returns gas before refunds; a receipt shows up to a fifth less
 * @throws {@link InvalidInputError} for an invalid range, or an unknown block
 * @throws {@link InvalidStateError} if the token's balances cannot be set, or the node's gas limit is below that of a
 * fill
 * @throws {@link WrongChainError} if the URL serves another chain than the plan's
 * @throws {@link ChainError} if the node does not respond, or does not support state overrides
 * @throws {@link AbortedError} when the signal fires
 */
export async function measureRemoteEnvelope(plan: FillPlan, options: RemoteEnvelopeOptions): Promise<Envelope> {
  const { rpcUrl, blockNumber, outputs, callGas, timeoutMs = TIMEOUT_MS, signal, onProgress } = options;
  const range = envelopeRange(plan, options);
  const asked = spreadAmounts(range);
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
    amounts: asked,
    width: WIDTH,
    signal,
    async tryAmounts(amounts) {
      const results = await trials.tryAmounts(amounts);
      count += results.length;
      onProgress?.({ tried: count, planned: Math.max(count, asked.length) });
      return results;
    },
  });
  const selected = await trials.withTransactionGas(selectTrials(tried, asked));
  const gas = await envelopeGas({
    trials: selected,
    blockGasLimit: header.gasLimit,
    worksWith: (trial, limit) => trials.worksWith(trial, limit),
  });
  return assembleEnvelope(selected, gas);
}

/** Only reads. */
function remoteNode(upstream: Upstream, chainId: number): StateNode {
  return {
    async request(method, params = []) {
      const [answer] = await upstream.send([{ method, params }]);
      if (answer !== undefined && "result" in answer) return answer.result;
      throw new ChainError({
        message: `${upstream.host} rejected ${method}: ${answer?.error.message ?? "no answer"}`,
        hint: "Use the RPC URL of a node that takes state overrides of eth_call, or replay on a fork.",
        chainId,
        cause: answer?.error,
      });
    },
  };
}
