import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { InvalidStateError } from "@crosscall/protocol/core";
import { type Address, getAddress, slice } from "viem";

import type { CallFrame } from "../trace/callFrame.ts";
import { callRunner } from "./callRunner.ts";
import { createDeal, type Deal } from "../deal.ts";
import { encodeFill, type FillPlan } from "../fillPlan.ts";
import { type Execution, traceTransaction } from "../fork/runTransaction.ts";
import { explainFill } from "../explain/explainFill.ts";
import { findCause } from "../explain/findCause.ts";
import type { Fork } from "../fork/fork.ts";
import { preparePlanned } from "../prepare/preparedFill.ts";
import { listMovements } from "../trace/listTransfers.ts";
import { allCalls } from "../trace/orderCalls.ts";
import type { FailureVerdict } from "../verdict.ts";
import { isSameReceived, type Trial, WORKS } from "./envelope.ts";

/** Trials of amounts on a fork. No trial affects the next one. */
export interface ForkTrials {
  tryAmount(amount: bigint): Promise<Trial>;
  /** Returns whether the fill has the same outcome with this gas limit. */
  worksWith(trial: Trial, gas: bigint): Promise<boolean>;
  /** Measures the increase of each balance with `balanceOf`, in the smallest unit. */
  balanceChanges(amount: bigint, currencies: readonly Address[]): Promise<readonly bigint[]>;
  /** Lists a superset of the possible outputs: all contracts in the fill's trace, and native currency. */
  listTouched(amount: bigint): Promise<readonly Address[]>;
}

type Failure = Pick<FailureVerdict, "failReason" | "txIndex">;

/** Gas that the runner needs around the router's call. */
const RUNNER_GAS = 2_000_000n;

/** Selector of `Error(string)`. Only the text distinguishes these errors. */
const TEXT_ERROR = "0x08c379a0";

/** Opens trials on a fork. The balances that they set stay on the fork. */
export async function openForkTrials(
  fork: Fork,
  plan: FillPlan,
  holders: readonly Address[] = [],
): Promise<ForkTrials> {
  const deal = createDeal(fork, holders);
  const failures = new Map<string, Failure>();
  const isNative = isEvmNative(plan.currency);
  // Only the value differs between amounts.
  const transaction = encodeFill(plan, 0n);
  const run = async (amount: bigint, gas = plan.gas): Promise<Execution> => {
    await deliver(deal, plan, isNative, amount);
    return traceTransaction(fork, isNative ? { ...transaction, value: amount } : transaction, gas);
  };
  // Funds the solver once. Each trial only sets the router's balance.
  await preparePlanned(fork, { plan, amount: 0n, deal });

  const toTrial = async (amount: bigint, execution: Execution): Promise<Trial> => {
    const { success, gasUsed, frame } = execution;
    if (success) {
      const received = netReceived(frame, plan.recipient);
      return { amount, success, gasUsed, outcome: WORKS, received, failReason: undefined, txIndex: undefined };
    }
    const outcome = outcomeOf(plan, execution);
    const failure = failures.get(outcome) ?? (await explain(fork, plan, execution));
    failures.set(outcome, failure);
    const { failReason, txIndex } = failure;
    return { amount, success, gasUsed, outcome, received: new Map(), failReason, txIndex };
  };

  return {
    tryAmount: async (amount) => toTrial(amount, await run(amount)),
    async worksWith({ amount, received }, gas) {
      const { success, frame } = await run(amount, gas);
      return success && isSameReceived(netReceived(frame, plan.recipient), received);
    },
    async listTouched(amount) {
      const { frame } = await run(amount);
      const contracts = allCalls(frame).flatMap(({ to }) => (to === undefined ? [] : [getAddress(to)]));
      return [...new Set([EVM_NATIVE_CURRENCY, ...contracts])];
    },
    async balanceChanges(amount, currencies) {
      await deliver(deal, plan, isNative, amount);
      const { gasLimit } = fork.environment;
      // Each of the two nested calls keeps a 64th of the gas.
      const room = ((gasLimit - RUNNER_GAS) * 62n) / 64n;
      const [outcome] = await callRunner(fork, {
        plan,
        amounts: [amount],
        outputs: currencies,
        isDelivered: true,
        gasLimit: plan.gas !== undefined && plan.gas < room ? plan.gas : room,
        callGas: gasLimit,
        block: "latest",
      });
      if (outcome === undefined) {
        throw new InvalidStateError({
          message: `the runner did not run the fill of ${amount}`,
          hint: "Report this error.",
        });
      }
      if (outcome.success) return outcome.received;
      throw new InvalidStateError({
        message: `the fill of ${amount} works as a transaction, but not from a contract at the solver's address`,
        hint: "Use a plan whose calls do not depend on the solver's code.",
      });
    },
  };
}

async function deliver(deal: Deal, plan: FillPlan, isNative: boolean, amount: bigint): Promise<void> {
  if (isNative) return;
  await deal({ account: plan.router, currency: plan.currency, amount, holders: [plan.solver] });
}

/** Explains a failed fill on a fork that still has the delivered balance. */
async function explain(fork: Fork, plan: FillPlan, execution: Execution): Promise<Failure> {
  const read = <Result>(from: () => Promise<Result>): Promise<Result> => from();
  const verdict = await explainFill({ prepared: { fork, execution, before: read }, plan });
  if (verdict.outcome === "failure") return verdict;
  throw new InvalidStateError({ message: "a failed fill was explained as a success", hint: "Report this error." });
}

/** Returns the index of the failed call, or undefined if the multicall itself failed. */
function failedCall({ calls }: FillPlan, { calls: made }: CallFrame): number | undefined {
  const last = made.length - 1;
  return made[last]?.error === undefined || calls[last]?.allowFailure !== false ? undefined : last;
}

/** Returns a key for failures of the same kind. Omits the arguments of errors, which are mostly amounts. */
function outcomeOf(plan: FillPlan, { frame }: Execution): string {
  const { output } = findCause(frame).frame;
  const kind = output.length > 10 && !output.startsWith(TEXT_ERROR) ? slice(output, 0, 4) : output;
  return `${failedCall(plan, frame) ?? ""} ${frame.error ?? ""} ${kind}`;
}

/**
 * Returns the net increase per currency from `Transfer` events and call values, in the smallest unit. The result is
 * wrong for tokens with events that do not match their balances.
 */
export function netReceived(root: CallFrame, account: Address): ReadonlyMap<Address, bigint> {
  const net = new Map<Address, bigint>();
  for (const { currency, from, to, amount } of listMovements(root, [])) {
    const change = (isSameAddress(to, account) ? amount : 0n) - (isSameAddress(from, account) ? amount : 0n);
    if (change !== 0n) net.set(currency, (net.get(currency) ?? 0n) + change);
  }
  return new Map([...net].filter(([, amount]) => amount !== 0n));
}
