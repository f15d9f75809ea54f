/** Options of a chain. */
export interface ChainOptions {
  readonly id: number;
  /** URL of a local node to use; left out, the chain runs in this process. */
  readonly rpcUrl?: string;
  /**
   * How many blocks must stand on a deposit's block before it is filled, and on the block of a fill that failed before
   * its deposit goes back; none when left out.
   */
  readonly depositConfirmations?: number;
  /** JSON-RPC URL of any chain to fork in this process; not beside `rpcUrl`. */
  readonly forkUrl?: string;
  /** The last block that comes from there; the latest when left out. */
  readonly forkBlock?: number;
  /** Time between blocks, from 10 to 600000; each transaction makes a block at once when left out or 0. */
  readonly miningIntervalMs?: number;
  /** What each call of the chain's `rpcUrl` waits, up to 60000; nothing when left out. */
  readonly latencyMs?: number;
}

/** The protocols that a network can bring. */
export const PROTOCOLS = ["aave"] as const;

/** A protocol that a network can bring. */
export type Protocol = (typeof PROTOCOLS)[number];
