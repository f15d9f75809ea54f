import { type Address, concat, slice } from "viem";

import { TRON_CODEC } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { EvmDialect } from "../ethereum/dialect.ts";
import { evmFamily } from "../ethereum/evmFamily.ts";
import { findTopLevelTrailingId } from "../ethereum/trailingId.ts";
import { openWallet } from "./openWallet.ts";

/** Tron addresses have this byte before the 20 bytes of the EVM. */
const PREFIX = "0x41";

const TRON_DIALECT: EvmDialect = {
  vmType: "tron-vm",
  nativeCurrency: TRON_CODEC.nativeCurrency,
  toEvm: (address, field) => slice(TRON_CODEC.encodeAddress(address, field), 1),
  fromEvm: (address: Address) => TRON_CODEC.decodeAddress(concat([PREFIX, address])),
  toHash(transactionId) {
    // Both spellings would have different ids, and be credited twice.
    requireAttested(!/^0x/iu.test(transactionId), `Transaction ${transactionId} must be written without 0x`);
    return TRON_CODEC.encodeTransactionId(transactionId, "transactionId");
  },
  readsCalls: false,
  directStartsWithId: false,
  findTrailingId: findTopLevelTrailingId,
  eventsFollowLater: true,
  callsAtPastBlocks: false,
  openSent: openWallet,
};

/** Tron's nodes have the EVM's JSON-RPC; addresses, transaction ids and memos differ. */
export const TRON_VM = evmFamily(TRON_DIALECT);
