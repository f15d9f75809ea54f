import type { Address, Hex } from "viem";

import { ETHEREUM_CODEC } from "@crosscall/sdk/internal/protocol/vms/ethereum";
import type { VmType } from "@crosscall/sdk/internal/protocol/vms/vmCodec";

/** How a family that runs EVM contracts writes what the EVM knows as 20 or 32 bytes. */
export interface EvmDialect {
  readonly vmType: VmType;
  readonly nativeCurrency: string;
  /**
   * The 20 bytes of an address.
   *
   * @throws {@link InvalidInputError} when the family does not write addresses like that
   */
  readonly toEvm: (address: string, field: string) => Address;
  /** The address of 20 bytes, in the family's canonical form. */
  readonly fromEvm: (address: Address) => string;
  /**
   * The hash of a transaction, by which its node knows it.
   *
   * @throws {@link InvalidInputError} when the family does not write transaction ids like that
   */
  readonly toHash: (transactionId: string) => Hex;
  /** Whether an order's calls are read on its chains: the public oracle reads them on EVM chains only. */
  readonly readsCalls: boolean;
  /** Whether its nodes run contract calls at the end of past blocks; others at the latest only. */
  readonly callsAtPastBlocks: boolean;
}

/** EVM chains write what the EVM knows. */
export const ETHEREUM_DIALECT: EvmDialect = {
  vmType: "ethereum-vm",
  nativeCurrency: ETHEREUM_CODEC.nativeCurrency,
  toEvm: (address, field) => ETHEREUM_CODEC.encodeAddress(address, field),
  fromEvm: (address) => address,
  toHash: (transactionId) => ETHEREUM_CODEC.encodeTransactionId(transactionId, "transactionId"),
  readsCalls: true,
  callsAtPastBlocks: true,
};
