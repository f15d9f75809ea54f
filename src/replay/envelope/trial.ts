import type { Address } from "viem";

import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import type { Tried } from "./searchBorders.ts";

/** How a fill went for an amount. */
export interface Trial extends Tried {
  /** Of the whole transaction. */
  readonly gasUsed: bigint;
  /** What the recipient has more of each currency, smallest unit; nothing where the fill failed. */
  readonly received: ReadonlyMap<Address, bigint>;
  readonly failReason: FailReason | undefined;
  /** The order's call that failed, from 0. */
  readonly txIndex: number | undefined;
}

/** The outcome of every amount that works. */
export const WORKS = "works";

/** Whether the recipient has the same more of the same currencies. */
export function isSameReceived(left: Trial["received"], right: Trial["received"]): boolean {
  return left.size === right.size && [...left].every(([currency, amount]) => right.get(currency) === amount);
}
