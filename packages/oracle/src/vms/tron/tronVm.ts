import * as Type from "typebox";
import { Compile } from "typebox/compile";
import { type Address, concat, type Hex, slice } from "viem";

import { TRON_CODEC } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import { createChainRpc, RPC_TIMEOUT_MS } from "../../rpc/chainRpc.ts";
import { createRestEndpoint } from "../../rpc/restEndpoint.ts";
import { rejectResponse } from "../../rpc/rpcErrors.ts";
import type { EvmDialect, SentReader } from "../ethereum/dialect.ts";
import { findTopLevelTrailingId } from "../ethereum/events.ts";
import { evmFamily } from "../ethereum/evmFamily.ts";
import type { EvmTransaction } from "../ethereum/evmReader.ts";
import type { VmChainOptions, VmTools } from "../vmChain.ts";

/** Byte in Tron addresses before the 20 bytes of the EVM address. */
const PREFIX = "0x41";

const TRON_DIALECT: EvmDialect = {
  vmType: "tron-vm",
  nativeCurrency: TRON_CODEC.nativeCurrency,
  toEvm: (address, field) => slice(TRON_CODEC.encodeAddress(address, field), 1),
  fromEvm: (address: Address) => TRON_CODEC.decodeAddress(concat([PREFIX, address])),
  toHash(transactionId) {
    // Rejects the prefix, because the two spellings would have different ids and be credited twice.
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

/**
 * Differences from EVM chains: Tron's nodes serve the same JSON-RPC, but with other formats of addresses, transaction
 * ids and memos.
 */
export const TRON_VM = evmFamily(TRON_DIALECT);

/** Path at which nodes serve JSON-RPC. Their own API is at the parent path. */
const JSON_RPC_PATH = /\/jsonrpc\/?$/u;

const bytes = Type.String({ pattern: "^([0-9a-fA-F]{2})*$" });
const address = Type.String({ pattern: "^41[0-9a-fA-F]{40}$" });
/** Sun. */
const amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const transactionCheck = Compile(
  Type.Object({
    txID: Type.String({ pattern: "^[0-9a-fA-F]{64}$" }),
    raw_data: Type.Object({
      data: Type.Optional(bytes),
      contract: Type.Tuple([Type.Object({ type: Type.String(), parameter: Type.Object({ value: Type.Object({}) }) })]),
    }),
  }),
);
const transferCheck = Compile(Type.Object({ to_address: address, amount }));
const triggerCheck = Compile(
  Type.Object({ contract_address: address, data: Type.Optional(bytes), call_value: Type.Optional(amount) }),
);

/**
 * Reads transactions from the nodes' own API, because JSON-RPC omits memos.
 *
 * @returns undefined if too few endpoints are known to have this API
 */
function openWallet(
  { id, rpcUrls, additionalData: { rpcAgreement = 1 } }: VmChainOptions,
  { observer, clock }: VmTools,
): SentReader | undefined {
  const urls = new Set<string>();
  for (const url of rpcUrls.map((text) => new URL(text))) {
    if (!JSON_RPC_PATH.test(url.pathname)) continue;
    url.pathname = url.pathname.replace(JSON_RPC_PATH, "");
    urls.add(url.href);
  }
  if (urls.size < rpcAgreement) return undefined;
  const endpoints = [...urls].map((url) =>
    createRestEndpoint({
      url,
      timeoutMs: RPC_TIMEOUT_MS,
      toCall: (path, [value]) => ({ path: `/${path}`, body: { value } }),
      isAbsent: (_status, content) => isEmpty(content),
    }),
  );
  const rpc = createChainRpc({ chainId: id, endpoints, agreement: rpcAgreement, observer, clock });
  return {
    transaction: (hash) =>
      rpc.read("wallet/gettransactionbyid", [hash.slice(2)], (answer) => parseTransaction(answer, hash)),
    close: () => rpc.close(),
  };
}

/** Returns whether the response is an empty object, which means that the transaction is unknown. */
function isEmpty(content: unknown): boolean {
  return typeof content === "object" && content !== null && Object.keys(content).length === 0;
}

function parseTransaction(answer: unknown, hash: Hex): EvmTransaction | undefined {
  if (answer === null) return undefined;
  if (!transactionCheck.Check(answer) || `0x${answer.txID.toLowerCase()}` !== hash) {
    return rejectResponse("the transaction does not match");
  }
  const { data = "", contract } = answer.raw_data;
  const { type, parameter } = contract[0];
  return { ...toCall(type, parameter.value), ...(data === "" ? {} : { memo: toHex(data) }) };
}

/** Converts a transaction. Other transaction types, such as transfers of TRC-10 tokens, pay no native currency. */
function toCall(type: string, value: unknown): EvmTransaction {
  switch (type) {
    case "TransferContract":
      if (!transferCheck.Check(value)) return rejectResponse("a transfer in an unknown format");
      return { to: toAddress(value.to_address), input: "0x", value: BigInt(value.amount) };
    case "TriggerSmartContract":
      if (!triggerCheck.Check(value)) return rejectResponse("a contract call in an unknown format");
      return {
        to: toAddress(value.contract_address),
        input: toHex(value.data ?? ""),
        value: BigInt(value.call_value ?? 0),
      };
    default:
      return { to: undefined, input: "0x", value: 0n };
  }
}

function toHex(text: string): Hex {
  return `0x${text.toLowerCase()}`;
}

function toAddress(text: string): Address {
  return toHex(text.slice(2));
}
