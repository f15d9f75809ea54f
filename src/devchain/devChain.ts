import type { Address, Hex } from "viem";

import type { ChainClient } from "./chainClient.ts";
import type { ChainContracts } from "./contracts.ts";
import type { Pool } from "./pools.ts";

/** A running development chain: its client, its contracts, and its pools. */
export interface DevChain {
  readonly id: number;
  readonly name: string;
  /** The chain's name in orders. */
  readonly protocolChainId: string;
  readonly rpcUrl: string;
  readonly client: ChainClient;
  readonly contracts: ChainContracts;
  /** Blocks that must follow a deposit's block before the deposit is accepted. */
  readonly depositConfirmations: number;
  /** Where its tokens are swapped. */
  readonly pools: readonly Pool[];
}

/** A call of a contract, or a transaction that is not signed yet. */
export interface EvmCall {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
}
