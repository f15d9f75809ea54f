import * as Type from "typebox";
import { Compile } from "typebox/compile";
import { type Address, type Hex, numberToHex } from "viem";

import { rejectResponse } from "../../rpc/rpcErrors.ts";
import type { ChainRpc } from "../../rpc/chainRpc.ts";

/** An event log, with hex in lower case. */
export interface EvmLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Index of the log in the block. */
  readonly logIndex: number;
}

export interface EvmReceipt {
  readonly blockHash: Hex;
  readonly blockNumber: number;
  readonly isSuccess: boolean;
  /** Logs in block order. */
  readonly logs: readonly EvmLog[];
}

export interface EvmBlock {
  readonly hash: Hex;
  readonly number: number;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** A transaction, with hex in lower case. */
export interface EvmTransaction {
  /** Called address; undefined for a contract creation or a batch. */
  readonly to: Address | undefined;
  /** Call data; for a batch, that of the first call. */
  readonly input: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Memo: bytes attached to the transaction. */
  readonly memo?: Hex;
}

export interface EvmReader {
  receipt(hash: Hex): Promise<EvmReceipt | undefined>;
  transaction(hash: Hex): Promise<EvmTransaction | undefined>;
  blockAt(number: number): Promise<EvmBlock | undefined>;
  latest(): Promise<EvmBlock>;
  /** Calls a contract at the end of a block; the latest block by default. */
  call(to: Address, data: Hex, blockNumber?: number): Promise<Hex>;
}

const quantity = Type.String({ pattern: "^0x[0-9a-fA-F]{1,64}$" });
const word = Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" });
const address = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
const bytes = Type.String({ pattern: "^0x(?:[0-9a-fA-F]{2})*$" });

const receiptCheck = Compile(
  Type.Object({
    transactionHash: word,
    blockHash: word,
    blockNumber: quantity,
    status: quantity,
    logs: Type.Array(
      Type.Object({
        address,
        topics: Type.Array(word),
        data: bytes,
        logIndex: quantity,
        // Optional, because some nodes omit these fields.
        blockHash: Type.Optional(word),
        blockNumber: Type.Optional(quantity),
        transactionHash: Type.Optional(word),
        removed: Type.Optional(Type.Boolean()),
      }),
    ),
  }),
);
const transactionCheck = Compile(
  Type.Object({ hash: word, to: Type.Union([address, Type.Null()]), input: bytes, value: quantity }),
);
/** Tempo's batch transactions lack the fields of a single call. */
const batchCheck = Compile(
  Type.Object({
    hash: word,
    type: Type.Literal("0x76"),
    calls: Type.Array(
      Type.Object({ to: Type.Optional(Type.Union([address, Type.Null()])), input: Type.Optional(bytes) }),
    ),
  }),
);
const blockCheck = Compile(Type.Object({ hash: word, number: quantity, timestamp: quantity }));
const bytesCheck = Compile(bytes);

export function createEvmReader(rpc: ChainRpc): EvmReader {
  return {
    receipt: (hash) => rpc.read("eth_getTransactionReceipt", [hash], (answer) => parseReceipt(answer, hash)),
    transaction: (hash) => rpc.read("eth_getTransactionByHash", [hash], (answer) => parseTransaction(answer, hash)),
    blockAt: (number) =>
      rpc.read("eth_getBlockByNumber", [numberToHex(number), false], (answer) => {
        const block = parseBlock(answer);
        return block === undefined || block.number === number
          ? block
          : rejectResponse("a block with a different number");
      }),
    latest: () =>
      rpc.readHeight(
        "eth_getBlockByNumber",
        ["latest", false],
        (answer) => parseBlock(answer) ?? rejectResponse("no latest block"),
        ({ number, timestamp }) => [number, timestamp],
      ),
    call: (to, data, blockNumber) =>
      rpc.read("eth_call", [{ to, data }, blockNumber === undefined ? "latest" : numberToHex(blockNumber)], (answer) =>
        bytesCheck.Check(answer) ? (answer as Hex) : rejectResponse("no bytes"),
      ),
  };
}

function parseReceipt(answer: unknown, hash: Hex): EvmReceipt | undefined {
  if (answer === null) return undefined;
  if (!receiptCheck.Check(answer) || answer.transactionHash.toLowerCase() !== hash) {
    return rejectResponse("no receipt for this transaction");
  }
  const blockHash = lower(answer.blockHash);
  const blockNumber = toNumber(answer.blockNumber);
  const indexes = new Set<number>();
  const logs = answer.logs.map((log) => {
    const isOfBlock =
      (log.blockHash === undefined || lower(log.blockHash) === blockHash) &&
      (log.blockNumber === undefined || toNumber(log.blockNumber) === blockNumber);
    const isOfTransaction = log.transactionHash === undefined || lower(log.transactionHash) === hash;
    if (!isOfBlock || !isOfTransaction) return rejectResponse("a log of another block or transaction");
    if (log.removed === true) return rejectResponse("a log that was removed");
    const logIndex = toNumber(log.logIndex);
    if (indexes.has(logIndex)) return rejectResponse("two logs with the same index");
    indexes.add(logIndex);
    return { address: lower(log.address), topics: log.topics.map(lower), data: lower(log.data), logIndex };
  });
  return {
    blockHash,
    blockNumber,
    isSuccess: toNumber(answer.status) === 1,
    logs: logs.sort((a, b) => a.logIndex - b.logIndex),
  };
}

function parseTransaction(answer: unknown, hash: Hex): EvmTransaction | undefined {
  if (answer === null) return undefined;
  const isBatch = batchCheck.Check(answer);
  if (!(isBatch || transactionCheck.Check(answer)) || answer.hash.toLowerCase() !== hash) {
    return rejectResponse("the transaction does not match");
  }
  if (isBatch) return { to: undefined, input: lower(answer.calls[0]?.input ?? "0x"), value: 0n };
  const { to, input, value } = answer;
  return { to: to === null ? undefined : lower(to), input: lower(input), value: BigInt(value) };
}

function parseBlock(answer: unknown): EvmBlock | undefined {
  if (answer === null) return undefined;
  if (!blockCheck.Check(answer)) return rejectResponse("no block");
  return { hash: lower(answer.hash), number: toNumber(answer.number), timestamp: toNumber(answer.timestamp) };
}

function lower(hex: string): Hex {
  return hex.toLowerCase() as Hex;
}

function toNumber(text: string): number {
  const value = Number.parseInt(text, 16);
  return Number.isSafeInteger(value) ? value : rejectResponse("a number that is too large");
}
