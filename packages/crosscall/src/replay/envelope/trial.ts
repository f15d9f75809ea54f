import type { Address } from "viem";

import type { FailReason } from "@crosscall/protocol/request";
import type { Tried } from "./searchBorders.ts";

export interface Trial extends Tried {
  /** Of the whole transaction. */
  readonly gasUsed: bigint;
  /** Smallest unit; empty for a failure. */
  readonly received: ReadonlyMap<Address, bigint>;
  readonly failReason: FailReason | undefined;
  /** From 0. */
  readonly txIndex: number | undefined;
}

export const WORKS = "works";

export function isSameReceived(left: Trial["received"], right: Trial["received"]): boolean {
  return left.size === right.size && [...left].every(([currency, amount]) => right.get(currency) === amount);
}
