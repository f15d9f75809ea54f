import { type Address, concat, slice } from "viem";

import { TRON_CODEC } from "@crosscall/sdk/internal/protocol/vms/tron";
import type { EvmDialect } from "../ethereum/dialect.ts";
import { evmFamily } from "../ethereum/evmFamily.ts";

/** Tron addresses have this byte before the 20 bytes of the EVM. */
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

/** Tron's nodes have the EVM's JSON-RPC; only addresses and transaction ids differ. */
export const TRON_VM = evmFamily(TRON_DIALECT);
