import { type Address, getAddress, type Hex, hexToBigInt, type Log, numberToHex, zeroAddress } from "viem";

import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { shortReason, throwIfAborted } from "@crosscall/protocol/core";
import {
  originChainIdOf,
  type PlannedStep,
  type PlannedTransaction,
  planSteps,
  type QuoteRequest,
} from "@crosscall/protocol/quote/rules";
import { mostInput, readTerms } from "@crosscall/sdk/kit";
import { createDeal } from "../deal.ts";
import { EngineError, type Fork } from "../fork/fork.ts";
import { sendTransaction, traceIncluded, traceTransaction } from "../fork/runTransaction.ts";
import { findCause } from "../explain/findCause.ts";
import { createAbiIndex } from "../trace/abiIndex.ts";
import { describeFailure } from "../trace/readTrace.ts";
import type { Transfer } from "../replayReport.ts";
import { listMovements } from "../trace/listTransfers.ts";
import { findStrangers } from "./receivers.ts";
import { isSameChain, judgeOrigin, originFinding, type OriginFacts } from "./originFindings.ts";
import { permitTransactions } from "./permitTransactions.ts";
import { permitted, readHoldings, touchedBy } from "./originHoldings.ts";
import type { OriginLeg, PreflightFinding, PreflightSubject, Simulated } from "./preflightReport.ts";

/** Balance in wei that is enough for the gas of all transactions. */
const GAS_OF_OTHERS = 10n ** 24n;

interface Receipt {
  readonly status: Hex;
  readonly transactionHash: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly logs: readonly Log[];
}

/**
 * Executes the transactions of a quote's steps on a fork of the origin chain, in order and from the user's account, and
 * finds effects beyond the request. Returns no leg if a transaction reverts.
 */
export async function simulateOrigin(fork: Fork, parameters: PreflightSubject): Promise<Simulated<OriginLeg>> {
  const { request, quote, trust, limits, signal } = parameters;
  const actions = planSteps(quote.steps, originChainIdOf(quote));
  const executed = actions.map((action) => executedBy(action, parameters));
  const open = actions.filter((_, index) => executed[index] === undefined);
  if (open.length > 0) return { leg: undefined, findings: [notExecuted(open)] };
  const transactions = executed.flatMap((some) => some ?? []);
  await payGas(fork, parameters, transactions);
  // Otherwise, the called contract holds funds of other users.
  const called = isSameChain(request) && request.useDepositAddress !== true ? transactions.at(-1)?.to : undefined;
  const run = await fork.isolate(async () => {
    const receipts: Receipt[] = [];
    for (const transaction of transactions) {
      throwIfAborted(signal, "the preflight");
      const receipt = await execute(fork, transaction);
      if (receipt?.status !== "0x1") return { reason: await describeRevert(fork, transaction) };
      receipts.push(receipt);
    }
    const logs = receipts.flatMap((receipt) => receipt.logs);
    const touched = touchedBy(logs, request.user as Address);
    const movements: Transfer[] = [];
    for (const { transactionHash } of receipts) {
      movements.push(...listMovements((await traceIncluded(fork, transactionHash)).frame, request.txs ?? []));
    }
    const strangers = await findStrangers(fork, parameters, movements);
    return { receipts, logs, touched, movements, strangers, after: await readHoldings(fork, request, touched, called) };
  });
  if (run.reason !== undefined)
    return { leg: undefined, findings: [originFinding("TRANSACTION_REVERTED", run.reason)] };
  const before = await readHoldings(fork, request, run.touched, called);
  const sum = (of: (receipt: Receipt) => bigint) =>
    run.receipts
      .filter((_, index) => isOwn(request, transactions[index]))
      .reduce((total, receipt) => total + of(receipt), 0n);
  const gas = sum(({ gasUsed, effectiveGasPrice }) => hexToBigInt(gasUsed) * hexToBigInt(effectiveGasPrice));
  const most = mostInput(readTerms({ request, quote, trust, limits, now: 0 }));
  const facts: OriginFacts = { ...parameters, ...run, called, transactions, before, gas, most };
  return {
    leg: {
      chainId: fork.chainId,
      blockNumber: fork.block.number,
      gasUsed: sum(({ gasUsed }) => hexToBigInt(gasUsed)),
      ...changesOf(facts),
    },
    findings: judgeOrigin(facts),
  };
}

/**
 * Returns the transactions of an action, or undefined if a fork cannot execute the action. Most messages only pay, and
 * a preflight does not sign authorizations.
 */
function executedBy(
  action: PlannedStep,
  { request, trust }: PreflightSubject,
): readonly PlannedTransaction[] | undefined {
  if (action.kind === "transaction") return action.authorizationList === undefined ? [action] : undefined;
  const id = request.originChainId;
  const chain = trust[id];
  return action.kind === "signature" && isSameChain(request)
    ? permitTransactions(action, request.user as Address, chain && { ...chain, id })
    : undefined;
}

/** Funds the accounts that pay the gas of permits and batches. */
async function payGas(
  fork: Fork,
  { request, paysGas = true }: PreflightSubject,
  transactions: readonly PlannedTransaction[],
): Promise<void> {
  const deal = createDeal(fork);
  const senders = new Set(
    transactions.filter((one) => !paysGas || !isOwn(request, one)).map(({ from }) => getAddress(from)),
  );
  for (const account of senders) {
    const held = hexToBigInt((await fork.request("eth_getBalance", [account, "latest"])) as Hex);
    await deal({ account, currency: zeroAddress, amount: held + GAS_OF_OTHERS });
  }
}

function isOwn({ user }: QuoteRequest, transaction: PlannedTransaction | undefined): boolean {
  return transaction !== undefined && isSameAddress(transaction.from, user);
}

function notExecuted(actions: readonly PlannedStep[]): PreflightFinding {
  const kinds = [...new Set(actions.map(kindOf))].join(", ");
  return {
    code: "NOT_SIMULATED",
    leg: "origin",
    severity: "note",
    reason: `the steps have actions that a fork cannot execute: ${kinds}`,
    hint: "The claims of the quote show whether these actions match the request.",
  };
}

async function describeRevert(fork: Fork, { from, to, data, value, gas, stepId }: PlannedTransaction): Promise<string> {
  const which = `the transaction of step ${stepId} to ${to} reverts`;
  try {
    const { frame } = await traceTransaction(fork, { from, to, data, value }, gas);
    const error = describeFailure(findCause(frame).frame, createAbiIndex());
    return error === undefined ? which : `${which}: ${error}`;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // The node rejects a transaction that the account cannot pay for.
    return `${which}: ${shortReason(error)}`;
  }
}

function changesOf({ request, touched, before, after }: OriginFacts): Pick<OriginLeg, "balances" | "allowances"> {
  const user = request.user as Address;
  const recipient = (request.recipient ?? user) as Address;
  const output = request.destinationCurrency as Address;
  const held = [...before.tokens].map(([currency, balance]) => ({
    account: user,
    currency,
    before: balance,
    after: after.tokens.get(currency) ?? 0n,
  }));
  const isSeparate = !isSameAddress(recipient, user) || ![...before.tokens.keys()].includes(output);
  const received = { account: recipient, currency: output, before: before.output, after: after.output };
  const all = [
    { account: user, currency: zeroAddress, before: before.native, after: after.native },
    ...held,
    ...(isSameChain(request) && isSeparate && !isEvmNative(output) ? [received] : []),
  ];
  return {
    balances: all.filter((change) => change.before !== change.after),
    allowances: touched.permissions.flatMap((one) => {
      const [was, left] = permitted(one, before, after);
      if (one.kind !== "amount" || was === left) return [];
      return [{ token: one.token, owner: user, spender: one.spender, before: was, after: left }];
    }),
  };
}

function kindOf(action: PlannedStep): string {
  return action.kind === "transaction" && action.authorizationList !== undefined ? "authorizationList" : action.kind;
}

/** Runs a transaction. Returns undefined if the transaction reverts, or if the account cannot pay for it. */
async function execute(fork: Fork, planned: PlannedTransaction): Promise<Receipt | undefined> {
  const { from, to, data, value } = planned;
  try {
    const call = { from, to, data, value: numberToHex(value) };
    const gas = planned.gas ?? hexToBigInt((await fork.request("eth_estimateGas", [call])) as Hex);
    const hash = await sendTransaction(fork, { from, to, data, value }, gas);
    return (await fork.request("eth_getTransactionReceipt", [hash])) as Receipt;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
