import { createHash } from "node:crypto";

import { createBase58check } from "@scure/base";
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  type Hex,
  hexToBytes,
  numberToHex,
  pad,
} from "viem";

import { jsonRpc, type RecordedResponse, type RecordedCall } from "./recordedServer.ts";
import { depositoryAbi, routerAbi } from "../../../../packages/protocol/src/abi/service.generated.ts";

/** Name of the native currency. */
export const NATIVE = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
const base58check = createBase58check((bytes: Uint8Array) => createHash("sha256").update(bytes).digest());

/** Returns 20 address bytes derived from a name, and the chain's encoding of them. */
function partyOf(name: string) {
  const evm: Address = `0x${createHash("sha256").update(name).digest("hex").slice(0, 40)}`;
  const bytes = concat(["0x41", evm]);
  return { evm, bytes, text: base58check.encode(hexToBytes(bytes)) };
}

export const [alice, bob, depository, router, token] = ["alice", "bob", "depository", "router", "token"].map(
  partyOf,
) as [Party, Party, Party, Party, Party];
/** Account or contract. */
export type Party = ReturnType<typeof partyOf>;

/** Returns the bytes that represent an address in messages. */
export function encode(address: string): Hex {
  if (address === NATIVE) return concat(["0x41", pad("0x", { size: 20 })]);
  return `0x${Buffer.from(base58check.decode(address)).toString("hex")}`;
}

interface Log {
  readonly address: Address;
  readonly topics: readonly unknown[];
  readonly data: Hex;
}

/** Returns a token event. */
export function movement(from: Party, to: Party, amount: bigint): Log {
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer", args: { from: from.evm, to: to.evm } });
  return { address: token.evm, topics, data: pad(numberToHex(amount)) };
}

export function tokenDeposit(from: Party, amount: bigint, id: Hex): Log {
  const types = [{ type: "address" }, { type: "address" }, { type: "uint256" }, { type: "bytes32" }] as const;
  const topics = encodeEventTopics({ abi: depositoryAbi, eventName: "RelayErc20Deposit" });
  return { address: depository.evm, topics, data: encodeAbiParameters(types, [from.evm, token.evm, amount, id]) };
}

export function nativeDeposit(from: Party, amount: bigint, id: Hex): Log {
  const types = [{ type: "address" }, { type: "uint256" }, { type: "bytes32" }] as const;
  const topics = encodeEventTopics({ abi: depositoryAbi, eventName: "RelayNativeDeposit" });
  return { address: depository.evm, topics, data: encodeAbiParameters(types, [from.evm, amount, id]) };
}

/** Returns a fill contract event. */
export function nativePayment(to: Party, amount: bigint): Log {
  const topics = encodeEventTopics({ abi: routerAbi, eventName: "SolverNativeTransfer" });
  const data = encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [to.evm, amount]);
  return { address: router.evm, topics, data };
}

/** Transaction on the chain. */
export interface Sent {
  readonly logs?: readonly Log[];
  /** Called contract. Defaults to the router. */
  readonly to?: Party;
  readonly input?: Hex;
  /** Transfer that uses another contract type. */
  readonly transfer?: { readonly type: string; readonly to: Party; readonly amount: number };
  /** Without 0x. */
  readonly memo?: string;
  readonly block?: number;
  readonly time?: number;
  readonly isReverted?: boolean;
}

/** Returns the response of java-tron's `/wallet/gettransactionbyid`. */
export function walletTransaction(txID: string, { to = router, input = "0x", transfer, memo }: Sent): object {
  const own = { owner_address: alice.bytes.slice(2) };
  const type = transfer?.type ?? "TriggerSmartContract";
  const value =
    transfer === undefined
      ? { ...own, contract_address: to.bytes.slice(2), data: input.slice(2) }
      : { ...own, amount: transfer.amount, to_address: transfer.to.bytes.slice(2) };
  return {
    ret: [{ contractRet: "SUCCESS" }],
    signature: ["4baaa558".repeat(16).concat("01")],
    txID,
    raw_data: {
      ...(memo === undefined ? {} : { data: memo }),
      contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
      ref_block_bytes: "46c5",
      ref_block_hash: "a3c7f970085182ff",
      expiration: 1_615_970_910_000,
      timestamp: 1_615_970_852_888,
    },
    raw_data_hex: "0a0246c5",
  };
}

export const LATEST = 70_000_100;
const TIME = 1_790_000_000;

/** Chain with its data in the formats of JSON-RPC and of the node's own API. */
export class TronChain {
  readonly transactions = new Map<string, Sent>();

  /** Adds a transaction, by default in a new block, and returns its id without a 0x prefix. */
  add(sent: Sent): string {
    const id = createHash("sha256").update(`tron ${this.transactions.size}`).digest("hex");
    this.transactions.set(`0x${id}`, { block: LATEST - 20 - this.transactions.size, ...sent });
    return id;
  }

  /** Returns the result of a JSON-RPC method. */
  readonly answerRpc = (method: string, [first]: readonly unknown[]): unknown => {
    if (method === "eth_getBlockByNumber" && first !== "latest") {
      const included = [...this.transactions.values()].find(({ block }) => block === Number(first));
      return { hash: blockHashOf(Number(first)), number: first, timestamp: numberToHex(included?.time ?? TIME) };
    }
    if (method === "eth_getBlockByNumber") {
      return { hash: pad("0x77"), number: numberToHex(LATEST), timestamp: numberToHex(TIME + 60) };
    }
    const hash = String(first);
    const sent = this.transactions.get(hash);
    if (sent === undefined) return null;
    const { logs = [], to = router, input = "0x", transfer, block = 0, isReverted = false } = sent;
    if (method === "eth_getTransactionByHash") {
      return { hash, to: (transfer?.to ?? to).evm, value: numberToHex(transfer?.amount ?? 0), input, type: "0x0" };
    }
    const place = { blockHash: blockHashOf(block), blockNumber: numberToHex(block), to: router.evm };
    const placed = logs.map((log, index) => ({ ...log, logIndex: numberToHex(index + 7) }));
    return { transactionHash: hash, ...place, status: isReverted ? "0x0" : "0x1", logs: placed };
  };

  /** Returns the response of the node's own API to a request for a transaction. */
  answerWallet(value: string): object {
    const sent = this.transactions.get(`0x${value}`);
    return sent === undefined ? {} : walletTransaction(value, sent);
  }

  readonly answer = (call: RecordedCall): RecordedResponse => {
    if (call.path === "/jsonrpc") return jsonRpc(this.answerRpc)(call);
    if (call.path !== "/wallet/gettransactionbyid") return { status: 404, body: "Not Found" };
    return { body: this.answerWallet((JSON.parse(call.body) as { value: string }).value) };
  };
}

function blockHashOf(number: number): Hex {
  return `0x${createHash("sha256").update(`tron block ${number}`).digest("hex")}`;
}
