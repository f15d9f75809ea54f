import type { Hex } from "viem";

import type { CauseKind } from "../../../../packages/crosscall/src/replay/causes/catalog.ts";
import type { FailReason } from "../../../../packages/protocol/src/request/failReasons.ts";
import type { FillCall, FillPlan } from "../../../../packages/crosscall/src/replay/fillPlan.ts";
import type { FailedCondition } from "../../../../packages/crosscall/src/replay/verdict.ts";
import type { FillFork } from "../support/fillFork.ts";

/** Expected explanation of a failed fill. */
export interface ExpectedFailure {
  readonly failReason: FailReason;
  readonly txIndex: number | undefined;
  readonly error: string;
  readonly path: readonly number[];
  readonly condition?: FailedCondition;
}

export type PlantedCause = CauseKind | "unknown";

/** A failing fill. */
export interface FailureCase {
  readonly name: string;
  /** Kind of the planted cause; `unknown` if the fill does not show it. */
  readonly cause: PlantedCause;
  /** Cause in words; not checked by default. */
  readonly says?: RegExp;
  /** The hint; not checked by default. */
  readonly advises?: RegExp;
  /** Runs on the fork before the fill. The changes are reverted afterwards. */
  readonly make: (world: FillFork) => FailingFill | Promise<FailingFill>;
}

/** Calls that make a fill fail, and the expected failure. */
export interface FailingFill {
  readonly calls: readonly FillCall[];
  readonly terms?: Partial<FillPlan>;
  /** Delivered amount. Defaults to 990. */
  readonly amount?: bigint;
  /** The solver's own calls, which run before the order's calls. */
  readonly solverCalls?: readonly FillCall[];
  readonly expected: ExpectedFailure;
}

/** Code for a token that returns an allowance of 5, and reverts without data on any approval except 0. */
export const SILENT_TOKEN_CODE: Hex =
  "0x60003560e01c63dd62ed3e14601f57602435602a57600160005260206000f35b600560005260206000f35b60006000fd";
