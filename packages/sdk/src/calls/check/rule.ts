import type { Address } from "viem";

import type { Call } from "@crosscall/protocol/common";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { DecodedCall } from "../decode/decodedCall.ts";
import type { Allowances } from "./followAllowances.ts";
import type { SwapRouterFunds } from "./followSwapRouters.ts";
import type { Holdings } from "./followHoldings.ts";
import type { Operation } from "./operation.ts";
import type { CallFacts, CheckedContracts } from "./parameters.ts";

export interface CheckContext {
  /** The plan as a request, with valid defaults for missing fields. */
  readonly request: QuoteRequest;
  readonly txs: readonly Call[];
  readonly contracts: CheckedContracts;
  readonly facts: CallFacts;
  readonly calls: readonly DecodedCall[];
  readonly operations: readonly Operation[];
  readonly allowances: Allowances;
  readonly holdings: Holdings;
  readonly swapRouters: SwapRouterFunds;
  /** Whether a spender takes the router's whole balance, if its function can. */
  readonly takesAll: (spender: string) => boolean;
  readonly isRouter: (account: string) => boolean;
  /** Whether a contract acts only on its caller's tokens. */
  readonly isTrusted: (account: string) => boolean;
  /** Whether a contract makes arbitrary calls for anyone. */
  readonly isAnyCaller: (account: string) => boolean;
  /** Whether an account is a known token. */
  readonly isToken: (account: string) => boolean;
  readonly isDelivered: (token: string | undefined) => boolean;
}

export interface Violation {
  readonly index?: number;
  readonly reason: string;
  /** Hint for this finding, instead of the rule's hint. */
  readonly hint?: string;
}

/** Removes repeated violations, such as those of a contract's calls to itself. */
export function distinct(violations: readonly Violation[]): Violation[] {
  const places = violations.map(({ index, reason }) => `${index} ${reason}`);
  return violations.filter((_, place) => places.indexOf(places[place] ?? "") === place);
}

/** An error means that the calls would fail or lose funds, a warning that they could. A note is informational. */
export type Severity = "error" | "warning" | "note";

export interface RuleDescription {
  readonly severity: Severity;
  /** In one sentence. */
  readonly meaning: string;
  /** Instruction for fixing the problem, in one sentence. */
  readonly hint: string;
}

export interface Rule extends RuleDescription {
  readonly find: (context: CheckContext) => readonly Violation[];
}

export type Rules = Readonly<Record<string, Rule>>;

/** Multicall3, at the same address on every chain. */
export const MULTICALL3: Address = "0xcA11bde05977b3631167028862bE2a173976CA11";
