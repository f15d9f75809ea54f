import {
  type AccountCodes,
  openSvmNode,
  type Preflight,
  QUOTE_CLAIMS,
  type QuoteClaim,
  type QuoteLimits,
  readCodes,
} from "@crosscall/sdk/kit";
import { type ServiceTrust, serviceTrust, verifyQuote } from "@crosscall/sdk/verify";
import type { Address, Hex } from "viem";
import { chainFamilyOf, isEvmNative } from "@crosscall/protocol/chains";
import { rejectMisspelledOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { parseAmount } from "@crosscall/protocol/encoding";
import { type QuoteRequest, type QuoteV3, requestIdOf, toQuote } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";

import type {
  DestinationLeg,
  OriginLeg,
  PreflightFinding,
  PreflightLeg,
  PreflightReport,
  PreflightSubject,
  Simulated,
} from "./preflightReport.ts";
import { BalanceUnwritableError } from "../deal.ts";
import type { Fork } from "../fork/fork.ts";
import { openFork } from "../fork/openFork.ts";
import { readCode } from "../fork/readState.ts";
import { findMissingAccounts } from "./receivers.ts";
import { simulateDestination, solverOn } from "./simulateDestination.ts";
import { simulateOrigin } from "./simulateOrigin.ts";
import { simulatePayment } from "./simulatePayment.ts";
import { simulateSvmOrigin } from "./simulateSvmOrigin.ts";

/** Options of `createPreflight`. A network from `localnet()` can be passed as well. */
export interface PreflightOptions {
  /** RPC endpoints of both chains. Without an endpoint for the destination chain, the fill is not simulated. */
  readonly chains: readonly PreflightChain[];
  /** Pinned addresses, as given to `executeSteps`; `serviceTrust` by default. */
  readonly trust?: ServiceTrust;
  /** Default limits, which the limits of `executeSteps` override. */
  readonly limits?: QuoteLimits;
  /** Solana's endpoint, as a network has it. `chains` can have it too. */
  readonly svm?: PreflightChain | undefined;
}

/**
 * Creates a preflight, which verifies a quote and simulates both legs on forks without signing. On the origin chain,
 * the steps are executed from the user's account. Only the input and gas may leave the account, and no other allowance
 * may remain. The deposit must be recorded, or the recipient must gain the minimum output. A refund must arrive. On the
 * destination chain, the fill must work with every amount that the order permits, and leave no funds behind. Pass the
 * preflight to `executeSteps` to run it before the first signature.
 *
 * On Solana, the node simulates the deposit.
 *
 * The preflight throws an `InvalidInputError` when the origin chain has no endpoint, and a `ChainError` when a chain
 * does not respond.
 */
export function createPreflight(options: PreflightOptions): (subject: Preflight) => Promise<PreflightReport> {
  rejectMisspelledOptions(options, ["chains", "trust", "limits", "svm"]);
  const chains = [...options.chains, ...(options.svm === undefined ? [] : [options.svm])];
  return ({ limits = options.limits, ...subject }) => preflight({ ...options, ...subject, chains, limits });
}

/** A chain and its JSON-RPC endpoint. */
export interface PreflightChain {
  readonly id: number;
  /** JSON-RPC endpoint, which is only read and needs no archive state. */
  readonly rpcUrl: string;
}

interface PreflightParameters {
  readonly request: QuoteRequest;
  /** Of any version. */
  readonly quote: Quote | QuoteV3;
  /** RPC endpoints of both chains; the destination chain is optional. */
  readonly chains: readonly PreflightChain[];
  /** Whether the user must pay the gas of the transactions; true by default. */
  readonly paysGas?: boolean | undefined;
  readonly trust?: ServiceTrust | undefined;
  readonly limits?: QuoteLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Verifies a quote, then simulates both of its legs: the steps on a fork of the origin chain, a refund to its
 * recipient, and the fill on a fork of the destination chain. A quote that fails verification is not simulated.
 *
 * @throws {@link InvalidInputError} when the origin chain has no endpoint
 * @throws {@link WrongChainError} when an endpoint serves another chain
 * @throws {@link ChainError} when a chain does not respond
 * @throws {@link AbortedError} when the signal fires
 */
export async function preflight(parameters: PreflightParameters): Promise<PreflightReport> {
  const { request, limits = {} } = parameters;
  const quote = toQuote(parameters.quote);
  const trust = parameters.trust ?? serviceTrust;
  const report = await verifyQuote({ request, quote, trust, limits });
  const unmet = [
    ...report.claims.filter(({ isMet }) => !isMet).map((claim) => ofClaim(claim, "error")),
    ...report.warnings.map((claim) => ofClaim(claim, "warning")),
  ];
  const none = { leg: undefined, findings: [] };
  const [origin, destination, accounts] =
    report.verdict === "refused" ? [none, none, []] : await simulateBoth({ ...parameters, quote, trust, limits });
  // The steps were not simulated, so their effects are unknown.
  const isOpen = report.verdict === "needsSimulation" && origin.leg === undefined;
  const all = [
    ...unmet,
    ...origin.findings.map((one) => (isOpen ? asError(one) : one)),
    ...destination.findings,
    ...accounts,
  ];
  return {
    verdict: all.some(({ severity }) => severity === "error") ? "failed" : "passed",
    requestId: requestIdOf(quote),
    findings: ["error", "warning", "note"].flatMap((severity) => all.filter((one) => one.severity === severity)),
    quote: report,
    origin: origin.leg,
    destination: destination.leg,
  };
}

interface Parameters extends PreflightSubject {
  readonly chains: readonly PreflightChain[];
}

type BothLegs = readonly [Simulated<OriginLeg>, Simulated<DestinationLeg>, readonly PreflightFinding[]];

async function simulateBoth(parameters: Parameters): Promise<BothLegs> {
  const { originChainId, destinationChainId } = parameters.request;
  const codes: { origin?: AccountCodes; destination?: AccountCodes } = {};
  const legs = [
    chainFamilyOf(originChainId).name === "svm"
      ? onSvm(parameters)
      : onFork(parameters, "origin", originChainId, async (fork) => {
          codes.origin = await readCodes(parameters, (account) => readCode(fork, account));
          const origin = await simulateOrigin(fork, parameters);
          return { ...origin, findings: [...origin.findings, ...(await simulateRefund(fork, parameters))] };
        }),
    originChainId === destinationChainId
      ? Promise.resolve({ leg: undefined, findings: [] })
      : onFork(parameters, "destination", destinationChainId, async (fork) => {
          codes.destination = await readCodes(parameters, (account) => readCode(fork, account));
          return simulateDestination(fork, parameters);
        }),
  ] as const;
  // Waits for both legs, so that no fork stays open if one leg fails.
  await Promise.allSettled(legs);
  const [originLeg, destinationLeg] = await Promise.all(legs);
  const { origin, destination } = codes;
  const isRead = origin !== undefined && destination !== undefined;
  return [originLeg, destinationLeg, isRead ? findMissingAccounts(parameters, { origin, destination }) : []];
}

/** Simulates the deposit at a node of an SVM chain. Skips it if there is no endpoint. */
async function onSvm(parameters: Parameters): Promise<Simulated<OriginLeg>> {
  const { chains, request, signal = new AbortController().signal } = parameters;
  const { originChainId: chainId } = request;
  const rpcUrl = chains.find(({ id }) => id === chainId)?.rpcUrl;
  if (rpcUrl !== undefined) return simulateSvmOrigin(openSvmNode(rpcUrl, signal, chainId), parameters);
  const reason = `no endpoint for chain ${chainId} was given`;
  const hint = "Pass a JSON-RPC endpoint for the chain.";
  return { leg: undefined, findings: [{ code: "NOT_SIMULATED", leg: "origin", severity: "note", reason, hint }] };
}

const SMALL_FIRST = "Try the quote with a small amount first.";

/**
 * Simulates a leg on a fork. Skips the leg if its chain is not an EVM chain, if the destination chain has no endpoint,
 * or if a token's storage layout is unknown.
 */
async function onFork<Leg>(
  { chains, signal }: Parameters,
  leg: "origin" | "destination",
  chainId: number,
  simulate: (fork: Fork) => Promise<Simulated<Leg>>,
): Promise<Simulated<Leg>> {
  const skip = (severity: PreflightFinding["severity"], reason: string, hint: string) => ({
    leg: undefined,
    findings: [{ code: "NOT_SIMULATED" as const, leg, severity, reason, hint }],
  });
  if (chainFamilyOf(chainId).name !== "evm") {
    return skip("note", `chain ${chainId} is not an EVM chain`, "The outcome on this chain cannot be simulated.");
  }
  const rpcUrl = chains.find(({ id }) => id === chainId)?.rpcUrl;
  if (rpcUrl === undefined) {
    if (leg === "origin") throw missingEndpoint(chainId);
    return skip("warning", `no endpoint for chain ${chainId} was given`, "Pass a JSON-RPC endpoint for the chain.");
  }
  const fork = await openFork({ rpcUrl, chainId, signal });
  try {
    return await simulate(fork);
  } catch (error) {
    if (!(error instanceof BalanceUnwritableError)) throw error;
    return skip("warning", error.message, SMALL_FIRST);
  } finally {
    await fork.close();
  }
}

function missingEndpoint(chainId: number): InvalidInputError {
  return new InvalidInputError({
    field: "chains",
    value: undefined,
    reason: `the quote is paid on chain ${chainId}, but the chains do not include it`,
    hint: "Pass a JSON-RPC endpoint for the chain.",
  });
}

/** Simulates the refund that the solver sends if it cannot fill the order. */
async function simulateRefund(fork: Fork, { request, quote, trust }: Parameters): Promise<readonly PreflightFinding[]> {
  const { orderId, orderData } = quote.protocol?.v2 ?? {};
  const input = orderData?.inputs?.[0];
  const amount = input?.payment?.amount;
  const currency = input?.payment?.currency;
  if (typeof amount !== "string" || typeof currency !== "string") return [];
  const { user, refundTo = user, useDepositAddress } = request;
  // For a deposit address, the native currency's address stands for the payer.
  const recipient = (useDepositAddress === true && isEvmNative(refundTo) ? user : refundTo) as Address;
  const problem = await simulatePayment(fork, {
    solver: solverOn(trust, fork.chainId),
    recipient,
    currency: currency as Address,
    amount: parseAmount(amount, "protocol.v2.orderData.inputs[0].payment.amount"),
    orderId: orderId as Hex,
  }).catch((error: unknown) => {
    if (error instanceof BalanceUnwritableError) return error;
    throw error;
  });
  if (problem === undefined) return [];
  if (problem instanceof BalanceUnwritableError) {
    return [{ code: "NOT_SIMULATED", leg: "refund", severity: "warning", reason: problem.message, hint: SMALL_FIRST }];
  }
  return [
    {
      code: "REFUND_REVERTED",
      leg: "refund",
      severity: "error",
      reason: `a refund of ${amount} to ${recipient} fails: ${problem}`,
      hint: "Set refundTo to an account that can receive the origin currency.",
    },
  ];
}

function ofClaim({ code, path, expected, seen }: QuoteClaim, severity: "error" | "warning"): PreflightFinding {
  return {
    code,
    leg: "quote" satisfies PreflightLeg,
    severity,
    reason: `${QUOTE_CLAIMS[code]} Expected ${expected}, seen ${seen} (${path}).`,
    hint:
      severity === "error"
        ? "Do not sign any step of this quote. Request a new quote, and report this one to the service."
        : "Do not show this value to users without checking it.",
  };
}

function asError(finding: PreflightFinding): PreflightFinding {
  return { ...finding, severity: "error" };
}
