import type { Address, Hex } from "viem";

import { ETHEREUM_CODEC, type VmType } from "@crosscall/protocol/vms";
import type { VmChainOptions, VmTools } from "../vmChain.ts";
import { findAnyTrailingId, type FindTrailingId } from "./events.ts";
import type { EvmReader } from "./evmReader.ts";
import type { Finality, Transactions } from "./transactions.ts";

/** Address and hash formats of an EVM-based family. */
export interface EvmDialect {
  readonly vmType: VmType;
  readonly nativeCurrency: string;
  /** @throws {@link InvalidInputError} if the value is not an address of the family */
  readonly toEvm: (address: string, field: string) => Address;
  /** Converts an EVM address to the family's format. */
  readonly fromEvm: (address: Address) => string;
  /**
   * Converts a transaction id to the family's canonical form.
   *
   * @throws {@link InvalidInputError} if the value is not a transaction id of the family
   */
  readonly toHash: (transactionId: string) => Hex;
  /** Whether calls of orders are checked; only on EVM chains, as in the public oracle. */
  readonly readsCalls: boolean;
  /** Whether the data of a plain payment must start with the orderId, instead of ending with it. */
  readonly directStartsWithId: boolean;
  /** Finds the id after a token transfer for which the depository emitted no event; zero if there is no id. */
  readonly findTrailingId: FindTrailingId;
  /** Whether other transfers to the depository can come between a transfer and its deposit event. */
  readonly eventsFollowLater: boolean;
  /** Whether nodes support contract calls at past blocks. */
  readonly callsAtPastBlocks: boolean;
  /**
   * Creates a reader of whole transactions, for a family with JSON-RPC that omits parts of them. Returns undefined if
   * no endpoint has another API.
   */
  readonly openSent?: (options: VmChainOptions, tools: VmTools) => SentReader | undefined;
}

/** Reader of transactions as they were sent. */
export interface SentReader extends Pick<EvmReader, "transaction"> {
  close(): void;
}

export const ETHEREUM_DIALECT: EvmDialect = {
  vmType: "ethereum-vm",
  nativeCurrency: ETHEREUM_CODEC.nativeCurrency,
  toEvm: (address, field) => ETHEREUM_CODEC.encodeAddress(address, field),
  fromEvm: (address) => address,
  toHash: (transactionId) => ETHEREUM_CODEC.encodeTransactionId(transactionId, "transactionId"),
  readsCalls: true,
  directStartsWithId: true,
  findTrailingId: findAnyTrailingId,
  eventsFollowLater: false,
  callsAtPastBlocks: true,
};

export interface EvmChain {
  readonly dialect: EvmDialect;
  readonly options: VmChainOptions;
  readonly reader: EvmReader;
  readonly transactions: Transactions;
  readonly finality: Finality;
  /** Depository; undefined if the chain has none. */
  readonly depository: Address | undefined;
  /** The depository and the additional ones, whose withdrawals pay no orders. */
  readonly depositories: readonly Address[];
}
