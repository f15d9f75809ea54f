import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { InvalidStateError } from "@crosscall/protocol/core";
import { classifyRevert } from "@crosscall/protocol/reverts";
import { type Address, type Hex, hexToBytes, numberToHex } from "viem";

import { type AccountOverride, callRunner, type RunnerOutcome } from "./callRunner.ts";
import { encodeFill, type FillPlan } from "../fillPlan.ts";
import { isSameReceived, type Trial, WORKS } from "./envelope.ts";
import type { StateNode } from "../fork/fork.ts";
import { findBalanceLayout, listCandidates } from "./remoteState.ts";

const TRANSACTION_GAS = 21_000n;
const GAS_PER_TOKEN = 4n;
const FLOOR_PER_TOKEN = 10n;

interface RemoteTrialsParameters {
  readonly plan: FillPlan;
  /** Largest amount to try. */
  readonly largest: bigint;
  readonly block: Hex | "latest";
  /** Maximum gas of a transaction. */
  readonly blockGasLimit: bigint;
  /** Whether the chain has a gas floor for call data. */
  readonly hasCallDataFloor: boolean;
  /** Gas limit of each `eth_call`; the node's limit by default. */
  readonly callGas: bigint | undefined;
  /** Output currencies; found automatically if undefined. */
  readonly outputs: readonly Address[] | undefined;
}

interface RemoteTrials {
  /** Tries amounts in as few RPC requests as the node's gas limit allows. */
  tryAmounts(amounts: readonly bigint[]): Promise<readonly Trial[]>;
  /** Converts gas of trials to gas of transactions, which differs by the delivery's storage accesses. */
  withTransactionGas(trials: readonly Trial[]): Promise<readonly Trial[]>;
  /** Returns whether the fill has the same outcome with this gas limit. */
  worksWith(trial: Trial, gas: bigint): Promise<boolean>;
}

/** Maximum gas of a transaction under EIP-7825. Nodes allow calls to use more. */
const FILL_GAS_MAX = 16_777_216n;

/** Prepares trials on a node without changing its state. */
export async function openRemoteTrials(node: StateNode, parameters: RemoteTrialsParameters): Promise<RemoteTrials> {
  const { plan, largest, block, blockGasLimit, hasCallDataFloor, callGas } = parameters;
  const isNative = isEvmNative(plan.currency);
  const layout = isNative ? undefined : await findBalanceLayout(node, plan.currency, plan.solver, block);
  /** Returns a state override with the token balances of the router and the solver. */
  const holding = (router: bigint, solver: bigint): Readonly<Record<Address, AccountOverride>> =>
    layout === undefined
      ? {}
      : {
          [plan.currency]: { stateDiff: { [layout(plan.router)]: word(router), [layout(plan.solver)]: word(solver) } },
        };
  const outputs =
    parameters.outputs ?? (await listCandidates(node, plan, encodeFill(plan, largest), block, holding(largest, 0n)));
  const gasLimit = plan.gas ?? (blockGasLimit < FILL_GAS_MAX ? blockGasLimit : FILL_GAS_MAX);
  const { data } = encodeFill(plan, 0n);
  const intrinsic = transactionGas(data, 0n, false);

  const deliverEach = async (amounts: readonly bigint[]): Promise<readonly RunnerOutcome[]> => {
    const outcomes = await callRunner(node, {
      plan,
      amounts,
      outputs,
      block,
      callGas,
      gasLimit,
      isDelivered: false,
      overrides: holding(0n, largest),
    });
    if (isNative || !isSameAddress(plan.recipient, plan.solver)) return outcomes;
    // If the solver is the recipient, adds back the amount that it delivers.
    return outcomes.map((outcome, index) => ({
      ...outcome,
      received: outcome.received.map((change, place) =>
        isSameAddress(outputs[place] ?? "", plan.currency) ? change + (amounts[index] ?? 0n) : change,
      ),
    }));
  };
  /** The delivered amount is available when the call begins, as in a transaction. */
  const runDelivered = async (amount: bigint, limit: bigint): Promise<RunnerOutcome> => {
    const [outcome] = await callRunner(node, {
      plan,
      amounts: [amount],
      outputs,
      block,
      callGas,
      gasLimit: limit,
      isDelivered: true,
      overrides: holding(amount, 0n),
    });
    return outcome ?? rejectGas(gasLimit);
  };

  return {
    async tryAmounts(amounts) {
      const outcomes: RunnerOutcome[] = [];
      while (outcomes.length < amounts.length) {
        const next = await deliverEach(amounts.slice(outcomes.length));
        if (next.length === 0) rejectGas(gasLimit);
        outcomes.push(...next);
      }
      return outcomes.map((outcome, index) => {
        const amount = amounts[index] ?? 0n;
        if (!isNative && outcome.delivered !== amount) rejectDelivery(plan.currency, amount, outcome.delivered);
        return toTrial(amount, outcome, outputs, gasLimit);
      });
    },
    async withTransactionGas(trials) {
      const working = trials.filter(({ success }) => success);
      const sample = isNative ? [] : [...new Set([working.at(0), working.at(-1)])];
      const differences = await Promise.all(
        sample.map(async (trial) =>
          trial === undefined ? 0n : (await runDelivered(trial.amount, gasLimit)).gasUsed - trial.gasUsed,
        ),
      );
      const difference = differences.reduce((most, each) => (each > most ? each : most), 0n);
      return trials.map((trial) => ({
        ...trial,
        gasUsed: transactionGas(data, trial.gasUsed + difference, hasCallDataFloor),
      }));
    },
    async worksWith({ amount, received }, gas) {
      if (gas <= intrinsic) return false;
      const outcome = await runDelivered(amount, gas - intrinsic);
      // Also compares received amounts, because calls that are allowed to fail can run out of gas in a fill that works.
      return outcome.success && isSameReceived(readReceived(outcome, outputs), received);
    },
  };
}

function toTrial(amount: bigint, outcome: RunnerOutcome, outputs: readonly Address[], gasLimit: bigint): Trial {
  const { success, gasUsed, revertData } = outcome;
  if (success) {
    const received = readReceived(outcome, outputs);
    return { amount, success, gasUsed, outcome: WORKS, received, failReason: undefined, txIndex: undefined };
  }
  // A call that runs out of gas leaves only the gas that its callers withhold, so most of the limit is used.
  const isOutOfGas = revertData === "0x" && gasUsed > gasLimit - gasLimit / 16n;
  const { failReason } = classifyRevert({ data: revertData, isOutOfGas });
  const kind = revertData.startsWith(TEXT_ERROR) ? revertData : revertData.slice(0, 10);
  // The node does not return the reverted call, and several calls can revert with the same data.
  return { amount, success, gasUsed, outcome: kind, received: new Map(), failReason, txIndex: undefined };
}

function readReceived({ received }: RunnerOutcome, outputs: readonly Address[]): ReadonlyMap<Address, bigint> {
  const changes = outputs.map((currency, index) => [currency, received[index] ?? 0n] as const);
  return new Map(changes.filter(([, change]) => change !== 0n));
}

/** Selector of `Error(string)`. Only the text distinguishes these errors. */
const TEXT_ERROR = "0x08c379a0";

function word(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}

function rejectGas(gasLimit: bigint): never {
  throw new InvalidStateError({
    message: `the node's gas limit for a call is too low for a fill of ${gasLimit} gas`,
    hint: "Set a smaller gas limit in the plan, set the gas of a call, or replay on a fork.",
  });
}

function rejectDelivery(token: Address, amount: bigint, delivered: bigint): never {
  throw new InvalidStateError({
    message: `a transfer of ${amount} of ${token} delivers only ${delivered}`,
    hint: "Replay on a fork, which sets the delivered balance.",
  });
}

/**
 * Returns the gas of a transaction before refunds, from the gas of its call.
 *
 * @param hasFloor whether the chain has a gas floor for call data (EIP-7623, since Prague)
 */
function transactionGas(data: Hex, callGas: bigint, hasFloor: boolean): bigint {
  const tokens = hexToBytes(data).reduce((sum, byte) => sum + (byte === 0 ? 1 : 4), 0);
  const spent = TRANSACTION_GAS + GAS_PER_TOKEN * BigInt(tokens) + callGas;
  const floor = TRANSACTION_GAS + FLOOR_PER_TOKEN * BigInt(tokens);
  return hasFloor && floor > spent ? floor : spent;
}
