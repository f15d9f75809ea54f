/** How a node misbehaves. */
export type MisbehavingNodeKind =
  /** Answers reads as of `blocks` before the latest one. */
  | "lagging"
  /** Has no state, logs and transactions older than `blocks`. */
  | "pruned"
  /** Refuses `eth_getLogs` for more than `blocks`. */
  | "logLimit"
  /** Refuses one of `every` requests. */
  | "rateLimited"
  /** Drops the block of the first transaction whose receipt it returned. `release()` includes its transactions again. */
  | "reorging"
  /** Does not show pending transactions. */
  | "forgetful"
  /** Never answers `methods`. */
  | "hangs"
  /** Answers with the given `garbage`. */
  | "garbage"
  /** Quotes `gasPrice` for gas. */
  | "expensiveGas"
  /** Says that it serves `chainId`. */
  | "wrongChain";

/** Options of `misbehavingNode`. */
export interface MisbehavingNodeOptions {
  /** The real node, such as `chain.rpcUrl`, or another misbehaving one. `reorging` needs `evm_snapshot` there. */
  readonly rpcUrl: string;
  /** For `lagging` (3 by default), `pruned` (16) and `logLimit` (1,000). */
  readonly blocks?: number;
  /** For `rateLimited`: 2 by default, so that every second request is refused. */
  readonly every?: number;
  /** For `rateLimited`: `http` answers 429 with `Retry-After`, which is the default; `rpc` answers error -32005. */
  readonly refusal?: "http" | "rpc";
  /** For `hangs`, `garbage` and `rateLimited`: the affected methods; all by default. */
  readonly methods?: readonly string[];
  /** For `garbage`: a page (the default), nothing, half of the response, another `id`, or `0x` as the result. */
  readonly garbage?: "html" | "empty" | "truncated" | "wrongId" | "emptyResult";
  /** For `expensiveGas`: in wei, 10^15 by default. */
  readonly gasPrice?: bigint;
  /** For `wrongChain`: 1 by default. */
  readonly chainId?: number;
}
