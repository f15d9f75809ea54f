import type { Hex } from "viem";

import { readMemo } from "./instructions.ts";
import type { SolanaTransaction } from "./solanaReader.ts";

/** At every position: ids can overlap. */
const ID = /(?=(0x[0-9a-f]{64}))/gu;

/** All ids in the memos of a transaction, at any depth and position, each once. */
export function namedOrders({ instructions }: SolanaTransaction): readonly Hex[] {
  const memos = instructions.map((instruction) => readMemo(instruction) ?? "");
  return [...new Set(memos.flatMap((memo) => [...memo.matchAll(ID)].map(([, id]) => id as Hex)))];
}
