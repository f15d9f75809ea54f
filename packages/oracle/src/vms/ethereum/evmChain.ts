import type { Address } from "viem";

import type { VmChainOptions } from "../vmChain.ts";
import type { EvmDialect } from "./dialect.ts";
import type { EvmReader } from "./evmReader.ts";
import type { Finality } from "./finality.ts";
import type { Transactions } from "./transactions.ts";

export interface EvmChain {
  readonly dialect: EvmDialect;
  readonly options: VmChainOptions;
  readonly reader: EvmReader;
  readonly transactions: Transactions;
  readonly finality: Finality;
  /** Undefined if the chain has none. */
  readonly depository: Address | undefined;
}
