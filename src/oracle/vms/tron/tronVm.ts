import { type Address, concat, slice } from "viem";

import { TRON_CODEC } from "@crosscall/sdk/internal/protocol/vms/tron";
import type { EvmDialect } from "../ethereum/dialect.ts";
import { evmFamily } from "../ethereum/evmFamily.ts";

/** The byte that Tron writes before the 20 bytes that its contracts know. */
const PREFIX = "0x41";

const TRON_DIALECT: EvmDialect = {
  vmType: "tron-vm",
  nativeCurrency: TRON_CODEC.nativeCurrency,
  toEvm: (address, field) => slice(TRON_CODEC.encodeAddress(address, field), 1),
  fromEvm: (address: Address) => TRON_CODEC.decodeAddress(concat([PREFIX, address])),
  toHash: (transactionId) => TRON_CODEC.encodeTransactionId(transactionId, "transactionId"),
  readsCalls: false,
  callsAtPastBlocks: false,
};

/** Tron: the JSON-RPC of its nodes is the EVM's; addresses and transaction ids are written otherwise. */
export const TRON_VM = evmFamily(TRON_DIALECT);
