import type { Address, Hex } from "viem";

import { SOLVER_ADDRESS } from "@crosscall/protocol/chains";
import { parseAmount } from "@crosscall/protocol/encoding";
import { type Order, OrderSchema } from "@crosscall/protocol/order";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { parseData } from "@crosscall/protocol/schema";
import type { ServiceTrust } from "@crosscall/sdk/verify";
import { createDeal } from "../deal.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { measureEnvelope } from "../envelope/measureEnvelope.ts";
import type { Fork } from "../fork/fork.ts";
import type { ReplayFinding, TraceNode } from "../replayReport.ts";
import { type FillInspection, inspectFill } from "../inspectFill.ts";
import { preparePlanned } from "../prepare/preparedFill.ts";
import type { Subject } from "../subject/subject.ts";
import { subjectOfQuote } from "../subject/subjectOfQuote.ts";
import type { DestinationLeg, PreflightFinding, PreflightSubject, Simulated } from "./preflightReport.ts";
import { simulatePayment } from "./simulatePayment.ts";

/** Number of amounts to try before the search for borders. */
const ENVELOPE_STEPS = 5;

/**
 * Maximum gas of the calls without `txsGasLimit`: the quote pays for the fill's gas, so a solver does not spend much
 * more.
 */
const FILL_GAS_MAX = 10_000_000n;

/**
 * Fills the order of a quote on a fork of the destination chain, as its solver would. Returns no leg for a transfer.
 */
export function simulateDestination(fork: Fork, parameters: PreflightSubject): Promise<Simulated<DestinationLeg>> {
  const { quote } = parameters;
  const order = parseData(OrderSchema, quote.protocol?.v2?.orderData, "the quote", "protocol.v2.orderData");
  return order.output.calls.length === 0 ? payRecipient(fork, parameters, order) : fill(fork, parameters);
}

export function solverOn(trust: ServiceTrust, chainId: number): Address {
  return (trust[chainId]?.solvers[0] ?? SOLVER_ADDRESS) as Address;
}

async function payRecipient(
  fork: Fork,
  { quote, trust }: PreflightSubject,
  { output }: Order,
): Promise<Simulated<DestinationLeg>> {
  const [payment] = output.payments;
  if (payment === undefined) return { leg: undefined, findings: [] };
  const recipient = payment.recipient as Address;
  const amount = parseAmount(payment.expectedAmount, "protocol.v2.orderData.output.payments[0].expectedAmount");
  const problem = await simulatePayment(fork, {
    solver: solverOn(trust, fork.chainId),
    recipient,
    currency: payment.currency as Address,
    amount,
    orderId: quote.protocol?.v2?.orderId as Hex,
  });
  if (problem === undefined) return { leg: undefined, findings: [] };
  const hint = "Choose a recipient that can receive the currency.";
  return { leg: undefined, findings: [reverted(`the transfer of ${amount} to ${recipient} fails: ${problem}`, hint)] };
}

async function fill(
  fork: Fork,
  { request, quote, trust, signal }: PreflightSubject,
): Promise<Simulated<DestinationLeg>> {
  const subject = subjectOfQuote(quote, { solver: solverOn(trust, fork.chainId) });
  const { source, plan } = subject;
  const tradeType = request.tradeType;
  const inspect = (amount: bigint): Promise<FillInspection> =>
    fork.isolate(async () => {
      const prepared = await preparePlanned(fork, { plan, amount, deal: createDeal(fork) });
      return inspectFill({ prepared, plan, amount, tradeType });
    });
  const { minimumAmount, expectedAmount } = plan;
  const expected = await inspect(expectedAmount);
  const minimum = minimumAmount === expectedAmount ? expected : await inspect(minimumAmount);
  // An exact output permits no other amounts.
  const range = tradeType === "EXACT_OUTPUT" ? { from: minimumAmount, to: expectedAmount } : {};
  const envelope = await measureEnvelope(fork, plan, { ...range, steps: ENVELOPE_STEPS, signal });
  const leg = {
    expected: { source, ...expected, envelope },
    minimum: { source, ...minimum, envelope: undefined },
  };
  return { leg, findings: [...findReverts(subject, leg, envelope), ...findGas(request, leg), ...findOthers(leg)] };
}

function reverted(reason: string, hint: string, severity: PreflightFinding["severity"] = "error"): PreflightFinding {
  return { code: "FILL_REVERTED", leg: "destination", severity, reason, hint };
}

function findReverts({ plan }: Subject, { expected, minimum }: DestinationLeg, { ranges }: Envelope) {
  const { minimumAmount, expectedAmount } = plan;
  const findings = (minimum === expected ? [expected] : [expected, minimum]).flatMap(({ verdict, amount }) => {
    if (verdict.outcome === "success") return [];
    const { failReason, txIndex, error, hint } = verdict;
    const which = amount === expectedAmount ? "the expected amount" : "the minimum amount";
    const place = txIndex === undefined ? "" : ` in txs[${txIndex}]`;
    return [reverted(`the fill with ${which} of ${amount} fails${place}: ${failReason}, ${error}`, hint)];
  });
  if (findings.length > 0) return findings;
  return ranges
    .filter(({ success }) => !success)
    .map(({ from, to, failReason, txIndex }) => {
      const place = txIndex === undefined ? "" : ` in txs[${txIndex}]`;
      const isPermitted = from < expectedAmount && to > minimumAmount;
      return reverted(
        `the fill fails${place} with amounts from ${from} to ${to}: ${failReason}`,
        "Use the delivered amount in the calls instead of a fixed amount.",
        isPermitted ? "error" : "warning",
      );
    });
}

function findGas({ txsGasLimit }: QuoteRequest, { expected, minimum }: DestinationLeg): PreflightFinding[] {
  const findings: PreflightFinding[] = [];
  const report = (reason: string, hint: string) =>
    findings.push({ code: "GAS_LIMIT_EXCEEDED", leg: "destination", severity: "error", reason, hint });
  const used = Math.max(gasOfCalls(expected.trace), gasOfCalls(minimum.trace));
  const recommended = expected.envelope?.gas?.recommendedLimit ?? 0n;
  if (txsGasLimit !== undefined && used > txsGasLimit) {
    report(
      `txs use ${used} gas, which is more than the txsGasLimit of ${txsGasLimit}`,
      "Increase txsGasLimit in the request.",
    );
  }
  if (txsGasLimit === undefined && recommended > FILL_GAS_MAX) {
    const hint = "Use fewer or cheaper calls, or set txsGasLimit in the request so that the quote pays for it.";
    report(`the fill needs a gas limit of ${recommended}, which is more than ${FILL_GAS_MAX}`, hint);
  }
  return findings;
}

function gasOfCalls({ calls }: TraceNode): number {
  return calls.reduce((sum, { frame, txIndex }) => sum + (txIndex === undefined ? 0 : Number(frame.gasUsed)), 0);
}

/** Reports a finding only once if both fills have it. */
function findOthers({ expected, minimum }: DestinationLeg): PreflightFinding[] {
  const all = [...expected.findings, ...minimum.findings];
  const keyOf = ({ code, txIndex, reason, left }: ReplayFinding): string =>
    [code, txIndex, ...(left === undefined ? [reason] : [left.account, left.currency])].join(" ");
  return [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()]
    .toReversed()
    .map(({ code, severity, txIndex, reason, hint }) => ({
      code,
      leg: "destination",
      severity,
      reason: txIndex === undefined ? reason : `txs[${txIndex}]: ${reason}`,
      hint,
    }));
}
