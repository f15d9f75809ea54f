import type { Address } from "viem";

import type { Call } from "../../protocol/common/call.ts";
import type { QuoteRequest } from "../../protocol/quote/quoteRequest.ts";
import type { DecodedCall } from "../decode/decodedCall.ts";
import type { Allowances } from "./followAllowances.ts";
import type { Holdings } from "./followHoldings.ts";
import type { Operation } from "./operation.ts";
import type { CallFacts, CheckedContracts } from "./parameters.ts";

/** What every rule looks at. */
export interface CheckContext {
  /** The plan as a request; where the caller gave no request, with fields that break no rule. */
  readonly request: QuoteRequest;
  readonly txs: readonly Call[];
  readonly contracts: CheckedContracts;
  readonly facts: CallFacts;
  readonly calls: readonly DecodedCall[];
  readonly operations: readonly Operation[];
  readonly allowances: Allowances;
  readonly holdings: Holdings;
  /** Whether a contract really takes all that the router has when its function says so. */
  readonly takesAll: (spender: string) => boolean;
  readonly isRouter: (account: string) => boolean;
  /** Whether a contract is known to act on its caller's tokens only. */
  readonly isTrusted: (account: string) => boolean;
  /** Whether a contract makes any call for anyone. */
  readonly isAnyCaller: (account: string) => boolean;
  /** Whether an account is known to be a token. */
  readonly isToken: (account: string) => boolean;
  /** Whether a token is the destination currency. */
  readonly isDelivered: (token: string | undefined) => boolean;
}

/** What a rule says of one place. */
export interface Violation {
  readonly index?: number;
  readonly reason: string;
  /** The rule's own when left out. */
  readonly hint?: string;
}

/** How bad a finding is: an error loses funds or fails, a warning may, a note is worth knowing. */
export type Severity = "error" | "warning" | "note";

/** What a rule is about. */
export interface RuleDescription {
  readonly severity: Severity;
  /** What a finding means, as a sentence. */
  readonly meaning: string;
  /** What to do, as a sentence. */
  readonly hint: string;
}

/** A rule that calls may break. */
export interface Rule extends RuleDescription {
  readonly find: (context: CheckContext) => readonly Violation[];
}

/** Rules by their codes. */
export type Rules = Readonly<Record<string, Rule>>;

/** Multicall3, at the same address on every chain that has it. */
export const MULTICALL3: Address = "0xcA11bde05977b3631167028862bE2a173976CA11";
