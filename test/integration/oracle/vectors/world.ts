import { createHash } from "node:crypto";

import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  numberToHex,
  pad,
} from "viem";

import { JsonRpcFault } from "../support/recordedServer.ts";
import type { Exchange } from "./file.ts";
import { depositoryAbi, routerAbi } from "../../../../packages/protocol/src/abi/service.generated.ts";

export const TIME = 1_790_000_000;
/** Time on the oracle's clock, in Unix seconds. */
export const NOW = TIME + 900;
const LATEST = 20_000_100;
const LATEST_TIME = TIME + 600;
const SECONDS_PER_BLOCK = 12;

export function hashOf(name: string): Hex {
  return `0x${createHash("sha256").update(name).digest("hex")}`;
}

export function addressOf(name: string): Address {
  return hashOf(name).slice(0, 42) as Address;
}

export interface Log {
  readonly address: Address;
  readonly topics: readonly unknown[];
  readonly data: Hex;
}

export function movement(token: Address, from: Address, to: Address, amount: bigint): Log {
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer", args: { from, to } });
  return { address: token, topics, data: pad(numberToHex(amount)) };
}

const [ADDRESS, UINT, WORD] = [{ type: "address" }, { type: "uint256" }, { type: "bytes32" }] as const;

export function nativeDeposit(depository: Address, from: Address, amount: bigint, id: Hex): Log {
  const topics = encodeEventTopics({ abi: depositoryAbi, eventName: "RelayNativeDeposit" });
  return { address: depository, topics, data: encodeAbiParameters([ADDRESS, UINT, WORD], [from, amount, id]) };
}

export function tokenDeposit(
  depository: Address,
  { from, token, amount, id }: { readonly from: Address; readonly token: Address; readonly amount: bigint; id: Hex },
): Log {
  const topics = encodeEventTopics({ abi: depositoryAbi, eventName: "RelayErc20Deposit" });
  const data = encodeAbiParameters([ADDRESS, ADDRESS, UINT, WORD], [from, token, amount, id]);
  return { address: depository, topics, data };
}

export function nativePayment(router: Address, to: Address, amount: bigint): Log {
  const topics = encodeEventTopics({ abi: routerAbi, eventName: "SolverNativeTransfer" });
  return { address: router, topics, data: encodeAbiParameters([ADDRESS, UINT], [to, amount]) };
}

export function callExecuted(router: Address, to: Address, data: Hex, amount: bigint): Log {
  const topics = encodeEventTopics({ abi: routerAbi, eventName: "SolverCallExecuted" });
  return { address: router, topics, data: encodeAbiParameters([ADDRESS, { type: "bytes" }, UINT], [to, data, amount]) };
}

/** Transaction on an EVM chain. */
export interface Sent {
  readonly logs?: readonly Log[];
  readonly to?: Address;
  readonly input?: Hex;
  readonly value?: bigint;
  /** Depth of the transaction's block, in blocks below the latest block. */
  readonly depth?: number;
  readonly isReverted?: boolean;
  /** Additional fields of the transaction. */
  readonly change?: object;
}

/** Index of the transaction's first log in its block. */
export const FIRST_LOG = 5;

/** Chain with responses that do not depend on the order of requests. */
export class EvmWorld {
  readonly name: string;
  private readonly chainId: number;
  private readonly sent = new Map<string, Sent>();
  private readonly calls = new Map<string, Hex>();
  private readonly fallbacks = new Map<string, Hex>();

  /** @param chainId chain ID that the chain's nodes return */
  constructor(name: string, chainId = 0) {
    this.name = name;
    this.chainId = chainId;
  }

  happen(sent: Sent): Hex {
    const hash = hashOf(`${this.name} transaction ${this.sent.size}`);
    this.sent.set(hash, sent);
    return hash;
  }

  /** Sets a contract's return value for the given arguments, or for all other arguments if none are given. */
  returns(to: Address, abi: Abi, functionName: string, result: unknown, args?: readonly unknown[]): void {
    const value = encodeFunctionResult({ abi, functionName, result });
    const [entry] = abi.filter((item) => item.type === "function" && item.name === functionName);
    if (entry?.type !== "function") throw new Error(`${functionName} is not in the ABI`);
    const zeros =
      args ?? entry.inputs.map(({ type }) => (type === "string" ? "" : type === "bytes" ? "0x" : zeroOf(type)));
    const data = encodeFunctionData({ abi, functionName, args: zeros });
    if (args === undefined) this.fallbacks.set(`${to.toLowerCase()} ${data.slice(0, 10)}`, value);
    else this.calls.set(`${to.toLowerCase()} ${data}`, value);
  }

  answer(method: string, params: readonly unknown[]): unknown {
    const [first] = params;
    if (method === "eth_chainId") return numberToHex(this.chainId);
    if (method === "eth_getBlockByNumber") {
      return blockAt(first === "latest" ? LATEST : Number(first));
    }
    if (method === "eth_call") {
      const { to, data } = first as { to: string; data: string };
      const known = this.calls.get(`${to.toLowerCase()} ${data}`);
      return known ?? this.fallbacks.get(`${to.toLowerCase()} ${data.slice(0, 10)}`) ?? "0x";
    }
    const hash = String(first);
    const sent = this.sent.get(hash);
    if (sent === undefined) return null;
    const { logs = [], to = addressOf("router"), input = "0x", value = 0n, depth = 30, isReverted = false } = sent;
    const block = blockAt(LATEST - depth);
    const place = { blockHash: block.hash, blockNumber: block.number };
    if (method === "eth_getTransactionByHash") {
      return { hash, ...place, to, input, value: numberToHex(value), ...sent.change };
    }
    const placed = logs.map((log, index) => ({ ...log, logIndex: numberToHex(index + FIRST_LOG) }));
    return { transactionHash: hash, ...place, status: isReverted ? "0x0" : "0x1", logs: placed };
  }

  /** Returns the Unix time of the block at a depth, in seconds. */
  static timeAt(depth = 30): number {
    return LATEST_TIME - depth * SECONDS_PER_BLOCK;
  }
}

function zeroOf(type: string): unknown {
  if (type === "address") return addressOf("zero");
  return type.startsWith("bytes") ? pad("0x0") : 0n;
}

function blockAt(number: number): { hash: Hex; number: Hex; timestamp: Hex } {
  const timestamp = EvmWorld.timeAt(LATEST - number);
  return {
    hash: `0xb10c${numberToHex(number, { size: 30 }).slice(2)}`,
    number: numberToHex(number),
    timestamp: numberToHex(timestamp),
  };
}

/** Splits the text of a JSON-RPC call. */
export function rpcService(
  answer: (method: string, params: readonly unknown[]) => unknown,
): (rest: string) => Omit<Exchange, "call"> {
  return (rest) => {
    const space = rest.indexOf(" ");
    const result = answer(rest.slice(0, space), JSON.parse(rest.slice(space + 1)) as unknown[]);
    if (!(result instanceof JsonRpcFault)) return { answer: { result } };
    const { code, message } = result;
    return { answer: { error: { code, message } } };
  };
}
