import type { Quote } from "@crosscall/protocol/quote";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { QuoteClaimCode, QuoteLimits } from "@crosscall/sdk/kit";
import type { QuoteReport, ServiceTrust } from "@crosscall/sdk/verify";
import type { ReplayFinding, AllowanceChange, BalanceChange, ReplayReport } from "../replayReport.ts";

/** Findings of a simulation of both legs, in addition to unmet claims of the quote and findings of a replay. */
export const PREFLIGHT_FINDINGS = {
  ACCOUNT_DELEGATES: "A receiving account delegates to a contract (EIP-7702) on only one of the two chains.",
  ACCOUNT_MISSING:
    "A receiving account is a contract on the other chain, but has no code on the chain where it receives.",
  ALLOWANCE_LEFT: "An allowance of the user remains, which the quote does not explain.",
  DEPOSIT_MISSING: "The depository records no deposit for the order, or less than the order's amount.",
  FILL_REVERTED: "The fill reverts with an amount that the order permits.",
  GAS_LIMIT_EXCEEDED: "The fill needs more gas than the request or the protocol allows.",
  INPUT_EXCEEDED: "The steps take more input from the user than requested.",
  NOT_SIMULATED: "A part of the request was not simulated.",
  OTHER_FUNDS_LEFT: "The user loses another token, or native currency that pays neither the input nor gas.",
  OUTPUT_MISSING: "The recipient gains less than the minimum output.",
  REFUND_REVERTED: "A refund of the input does not arrive.",
  STRANGER_PAID: "The steps pay an account that is not in the request or the pinned addresses.",
  TRANSACTION_REVERTED: "A transaction of the steps reverts.",
} as const;

/** Part of the request that a finding is about. */
export type PreflightLeg = "quote" | "origin" | "destination" | "refund";

/** A finding of a preflight. The codes are stable. */
export interface PreflightFinding {
  readonly code: keyof typeof PREFLIGHT_FINDINGS | QuoteClaimCode | ReplayFinding["code"];
  readonly leg: PreflightLeg;
  /** An error fails the preflight. */
  readonly severity: "error" | "warning" | "note";
  readonly reason: string;
  readonly hint: string;
  /** What the programs of a failed SVM transaction logged. */
  readonly logs?: readonly string[];
}

/** A quote that a preflight simulates. */
export interface PreflightSubject {
  readonly request: QuoteRequest;
  readonly quote: Quote;
  /** Pinned addresses. Only pinned depositories can record the deposit. */
  readonly trust: ServiceTrust;
  /** Whether the user must pay the gas of the transactions; true by default. */
  readonly paysGas?: boolean | undefined;
  readonly limits: QuoteLimits;
  readonly signal?: AbortSignal | undefined;
}

/** Result of simulating a leg; undefined if the leg was not simulated. */
export interface Simulated<Leg> {
  readonly leg: Leg | undefined;
  readonly findings: readonly PreflightFinding[];
}

/** The origin leg: changes by the steps. */
export interface OriginLeg {
  readonly chainId: number;
  /** Block, or slot on an SVM chain, after which the steps ran. */
  readonly blockNumber: bigint;
  /** Gas, or compute units on an SVM chain. */
  readonly gasUsed: bigint;
  /** Balances of the user and the fee payer, including gas, and of a recipient on the same chain. */
  readonly balances: readonly BalanceChange[];
  /** Allowances of the user. */
  readonly allowances: readonly AllowanceChange[];
  /** What the programs of an SVM transaction logged. */
  readonly logs?: readonly string[];
}

/** The solver's side. */
export interface DestinationLeg {
  /** The fill with the expected amount, and its envelope from the minimum amount upwards. */
  readonly expected: ReplayReport;
  /** The fill with the minimum amount. */
  readonly minimum: ReplayReport;
}

/** Result of a preflight. */
export interface PreflightReport {
  /** `failed` if a finding is an error. */
  readonly verdict: "passed" | "failed";
  readonly requestId: string;
  /** Errors first. */
  readonly findings: readonly PreflightFinding[];
  readonly quote: QuoteReport;
  /** Origin leg; undefined if it was not simulated. */
  readonly origin: OriginLeg | undefined;
  /** Destination leg; undefined if it was not simulated, or is a transfer without calls. */
  readonly destination: DestinationLeg | undefined;
}
