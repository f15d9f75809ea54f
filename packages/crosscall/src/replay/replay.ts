import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { throwIfAborted } from "@crosscall/protocol/core";
import type { Abi, Address } from "viem";

import { createDeal } from "./deal.ts";
import type { Envelope } from "./envelope/envelope.ts";
import { type EnvelopeRangeOptions, envelopeRange } from "./envelope/envelopeRange.ts";
import { type EnvelopeProgress, measureEnvelope } from "./envelope/measureEnvelope.ts";
import type { FillPlan } from "./fillPlan.ts";
import { type ForkParameters, openFork } from "./fork/openFork.ts";
import { openNodeFork } from "./fork/openNodeFork.ts";
import { inspectFill } from "./inspectFill.ts";
import { preparePast } from "./prepare/preparePast.ts";
import { preparePlanned, prepareTransaction, type PreparedFill } from "./prepare/preparedFill.ts";
import type { ReplayReport } from "./replayReport.ts";
import { amountsOfInput, statedCurrencies, withPrices } from "./report/statedAmounts.ts";
import { blockBefore, type FoundFill, findReplayed, type FindReplayedParameters } from "./subject/findFill.ts";

/** Parameters of `replay`. */
export interface ReplayParameters extends FindReplayedParameters, Pick<ForkParameters, "blockNumber"> {
  /** Whether to first run the transactions before a past fill in its block; true by default. */
  readonly exact?: boolean | undefined;
  /** Range of amounts for an envelope; no envelope by default. */
  readonly envelope?: EnvelopeRangeOptions | undefined;
  /** ABIs of called contracts; they take precedence over the kit's ABIs. */
  readonly abis?: readonly Abi[] | undefined;
  /** Names of accounts, such as an integrator's deployments. */
  readonly labels?: Readonly<Record<Address, string>> | undefined;
  /** Possible holders of the delivered currency, to transfer from if its storage cannot be written. */
  readonly holders?: readonly Address[] | undefined;
  /** A running anvil or Hardhat node to use in its current state, instead of a fork in this process. */
  readonly nodeUrl?: string | undefined;
  readonly onProgress?: ((progress: EnvelopeProgress) => void) | undefined;
}

/**
 * Replays a past or planned fill on a fork of its chain, and explains it. A past fill runs in its own block. A failed
 * attempt runs on the state on which it was tried. A planned or changed fill runs after the given block. Sends no
 * transaction to the chain.
 *
 * @throws {@link NothingToReplayError} when the fill has no calls of an order
 * @throws {@link InvalidStateError} when a request has no fill
 * @throws {@link InvalidInputError} when an option is invalid, or the chain does not have the transaction or block
 * @throws {@link WrongChainError} when the URL serves a different chain than the fill's
 * @throws {@link StateUnavailableError} when the node has pruned the state
 * @throws {@link BalanceUnwritableError} when the router's balance cannot be set
 * @throws {@link ChainError} when the chain does not respond
 * @throws {@link AbortedError} when the signal fires
 */
export async function replay(parameters: ReplayParameters): Promise<ReplayReport> {
  rejectUnknownOptions(parameters, {
    exact: 1,
    envelope: 1,
    abis: 1,
    labels: 1,
    holders: 1,
    nodeUrl: 1,
    onProgress: 1,
    input: 1,
    rpcUrl: 1,
    overrides: 1,
    cacheFolder: 1,
    timeoutMs: 1,
    signal: 1,
    blockNumber: 1,
  });
  const { input, signal, abis, labels } = parameters;
  throwIfAborted(signal, "the replay");
  const found = await findReplayed(parameters);
  const { source, plan, amount } = found.subject;
  const envelope = parameters.envelope === undefined ? undefined : envelopeRange(plan, parameters.envelope);
  const prepared = await prepare(found, parameters);
  try {
    const tradeType = input.kind === "plan" ? input.plan.tradeType : undefined;
    const inspection = await inspectFill({ prepared, plan, amount, tradeType, abis, labels });
    const currencies = withPrices(inspection.currencies, statedCurrencies(amountsOfInput(input), plan.chainId));
    return { source, ...inspection, currencies, envelope: await measure(found, prepared, { ...parameters, envelope }) };
  } finally {
    await prepared.fork.close();
  }
}

/** Prepares the fill. The caller closes the fork. */
async function prepare(found: FoundFill, parameters: ReplayParameters): Promise<PreparedFill> {
  const { subject, past } = found;
  const { plan, amount, sent } = subject;
  const { exact, blockNumber, nodeUrl, holders, timeoutMs, signal } = parameters;
  const isAsSent = sent !== undefined && blockNumber === undefined;
  const place = forkPlace(found, parameters);
  if (isAsSent && past !== undefined && nodeUrl === undefined) return preparePast({ ...place, past, exact });
  const fork =
    nodeUrl === undefined
      ? await openFork(place)
      : await openNodeFork({ nodeUrl, chainId: plan.chainId, timeoutMs, signal });
  try {
    return isAsSent
      ? await prepareTransaction(fork, sent.transaction)
      : await preparePlanned(fork, { plan, amount, deal: createDeal(fork, holders) });
  } catch (error) {
    await fork.close();
    throw error;
  }
}

async function measure(
  found: FoundFill,
  prepared: PreparedFill,
  parameters: ReplayParameters,
): Promise<Envelope | undefined> {
  const { envelope, holders, signal, onProgress } = parameters;
  if (envelope === undefined) return undefined;
  const { plan } = found.subject;
  const options = { ...envelope, holders, signal, onProgress };
  if (prepared.original === undefined) return measureEnvelope(prepared.fork, plan, options);
  // The fork of a past fill ends before the fill's block, but the envelope must run in that block.
  const fork = await openFork(forkPlace(found, parameters));
  try {
    return await measureEnvelope(fork, plan, options);
  } finally {
    await fork.close();
  }
}

function forkPlace(found: FoundFill, parameters: ReplayParameters): ForkParameters {
  const { rpcUrl, blockNumber = blockBefore(found), cacheFolder, timeoutMs, signal } = parameters;
  const { plan } = found.subject;
  return { rpcUrl, chainId: plan.chainId, blockNumber, cacheFolder, accounts: accountsOfPlan(plan), timeoutMs, signal };
}

export function accountsOfPlan({ router, solver, currency, recipient, calls }: FillPlan): Address[] {
  return [router, solver, currency, recipient, ...calls.map(({ to }) => to)];
}
