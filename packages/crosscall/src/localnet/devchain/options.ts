/** Options of a chain. */
export interface ChainOptions {
  readonly id: number;
  /** URL of a local node to use; by default, the chain runs in this process. */
  readonly rpcUrl?: string;
  /** Port of a chain in this process; a free one by default. */
  readonly rpcPort?: number;
  /**
   * Blocks required on top of a deposit's block before it is filled, and on top of a failed fill's block before the
   * refund; 0 by default.
   */
  readonly depositConfirmations?: number;
  /** JSON-RPC URL of a chain to fork in this process; cannot be combined with `rpcUrl`. */
  readonly forkUrl?: string;
  /** Number of the last forked block; the latest by default. */
  readonly forkBlock?: number;
  /** Milliseconds between blocks, from 10 to 600,000. By default or with 0, each transaction creates a block. */
  readonly miningIntervalMs?: number;
  /**
   * Block time in milliseconds, from 10 to 600,000; only blocks with transactions are mined. With `like`, defaults to
   * the live chain's block time, otherwise to 0. Cannot be combined with `miningIntervalMs`.
   */
  readonly blockTimeMs?: number;
  /**
   * Constant gas price of a chain in this process, in gwei. With `like`, defaults to the live chain's price.
   * Otherwise, the price starts at 2 gwei and follows EIP-1559.
   */
  readonly gasPriceGwei?: number;
  /**
   * Depth at which blocks of a chain in this process are final: for the block tags `finalized` and `safe` (half the
   * depth), and for the oracles. With `like`, defaults to the live chain's. Otherwise, every block is final at once.
   */
  readonly finality?: Finality;
  /** Delay of each call to the chain's `rpcUrl` in milliseconds, up to 60,000; 0 by default. */
  readonly latencyMs?: number;
  /** EVM rules for chains in this process; `prague` by default, which includes EIP-7702. */
  readonly hardfork?: Hardfork;
}

/** Depth at which a block is final. If both members are set, both are required. */
export interface Finality {
  /** Number of later blocks, up to 10,000. An idle chain mines them only if `seconds` is set, after that time. */
  readonly blocks?: number;
  /** Seconds on the chain's clock until a later block, up to 604,800. An idle chain mines this block. */
  readonly seconds?: number;
}

/** A token at a given address. */
export interface TokenOptions {
  readonly chainId: number;
  readonly address: string;
  /** Also its name. */
  readonly symbol: string;
  readonly decimals: number;
  /**
   * Price in US dollars per whole unit. By default, the price of the live token with this symbol, or on a fork of a known
   * chain, the price in its deepest Uniswap pool.
   */
  readonly priceUsd?: number;
}

export const HARDFORKS = ["cancun", "prague", "osaka"] as const;

export type Hardfork = (typeof HARDFORKS)[number];

export const PROTOCOLS = ["aave"] as const;

export type Protocol = (typeof PROTOCOLS)[number];
