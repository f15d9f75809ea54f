import { ChainError } from "@crosscall/sdk/internal/core/errors";
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

/** What {@link measureRemoteEnvelope} takes beside the plan. */
export interface RemoteEnvelopeOptions extends EnvelopeOptions {
  readonly rpcUrl: string;
  /** The block after which the fills run; the latest when left out. */
  readonly blockNumber?: bigint | undefined;
  /** What the recipient may get, the zero address for native; looked for in the calls when left out. */
  readonly outputs?: readonly Address[] | undefined;
  /** Gas of each call; the node's limit when left out. The more, the fewer calls. */
  readonly callGas?: bigint | undefined;
  /** How long the node may take for one answer; 30 seconds when left out. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 30_000;

/** Amounts that are tried at once while borders are searched. */
const WIDTH = 64;

/**
 * As `measureEnvelope`, without a fork: a few `eth_call` with state overrides run all amounts on the chain's node. Less
 * is known of a fill then: which call failed is not told; outputs that the calls do not name, on a node that neither
 * lists what a call comes to nor traces it, must be given; fills run in the block itself, not in the one after it.
 *
 * @returns gas as a transaction takes it before refunds: a receipt tells up to a fifth less
 * @throws {@link InvalidInputError} when the range cannot be used, or the chain has no such block
 * @throws {@link InvalidStateError} when balances of the token cannot be set, or the node's gas does not last for a fill
 * @throws {@link WrongChainError} when the URL is of another chain than the plan
 * @throws {@link ChainError} when the node does not answer, or takes no state overrides
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

/** A chain's node, which is only ever asked. */
function remoteNode(upstream: Upstream, chainId: number): StateNode {
  return {
    async request(method, params = []) {
      const [answer] = await upstream.send([{ method, params }]);
      if (answer !== undefined && "result" in answer) return answer.result;
      throw new ChainError({
        message: `${upstream.host} refuses ${method}: ${answer?.error.message ?? "no answer"}`,
        hint: "Use the RPC URL of a node that takes state overrides of eth_call, or replay on a fork.",
        chainId,
        cause: answer?.error,
      });
    },
  };
}
