import type { Address, Hex, SignedAuthorizationList } from "viem";

import type { ChainClient } from "./chainClient.ts";
import type { ChainContracts } from "./contracts.ts";
import type { LiveChain } from "./liveChains.ts";
import type { ChainChanges } from "./node.ts";
import type { Pool } from "./pools.ts";
import type { ChainToken } from "./chainToken.ts";
import type { Finality } from "./options.ts";

export interface DevChain {
  readonly id: number;
  readonly name: string;
  /** The chain's name in orders. */
  readonly protocolChainId: string;
  readonly rpcUrl: string;
  readonly client: ChainClient;
  readonly changes: ChainChanges;
  /** Returns the time of the chain's next block in Unix seconds. */
  readonly time: () => Promise<number>;
  readonly contracts: ChainContracts;
  /** Currencies of the chain, native currency first. */
  readonly tokens: readonly ChainToken[];
  /** Live chain that this chain copies. */
  readonly live?: LiveChain;
  /** Blocks required on top of a deposit's block. */
  readonly depositConfirmations: number;
  /** Depth of final blocks; zero if every block is final, or the chain's node has its own finality. */
  readonly finality: Required<Finality>;
  readonly pools: readonly Pool[];
}

export interface EvmCall {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** EIP-7702 authorizations. If set, the transaction has type 4. */
  readonly authorizationList?: SignedAuthorizationList;
}
