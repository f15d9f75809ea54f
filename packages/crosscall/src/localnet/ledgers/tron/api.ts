import { type Address, type Hex, hexToNumber, isHex, numberToHex, stringToHex } from "viem";

import { CrosscallError } from "@crosscall/protocol/core";
import { parseJson } from "@crosscall/protocol/schema";
import { TRON_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import type { LedgerCall, LedgerResponse } from "../serveLedger.ts";
import { readAddress, toBase58, toHexForm } from "./address.ts";
import type { Block, Included, IncludedTransaction, Rejected, TronChain } from "./chain.ts";
import { type LedgerToken, Revert } from "./contracts.ts";
import { parseCall, parseTransaction, parseTransfer, type SignedTransaction, toJson } from "./transaction.ts";

export interface TronNode {
  readonly chain: TronChain;
  readonly tokens: readonly LedgerToken[];
  /** Includes a wallet's transaction, and reports its deposit. */
  readonly submit: (transaction: SignedTransaction) => Promise<Included | Rejected>;
}

type Fields = Readonly<Record<string, unknown>>;

type Handler = (node: TronNode, fields: Fields) => unknown;

/**
 * Handlers by path under `wallet/` and `walletsolidity/`. Blocks are final at once, so both prefixes return the same
 * state.
 */
const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["getnowblock", ({ chain }) => blockToJson(chain, chain.latest())],
  ["getblock", ({ chain }, fields) => blockToJson(chain, findBlock(chain, fields.id_or_num), fields.detail === true)],
  ["getblockbynum", ({ chain }, fields) => blockToJson(chain, findBlock(chain, fields.num))],
  ["createtransaction", ({ chain }, fields) => toJson(chain.build(parseTransfer(fields)), isVisible(fields))],
  ["triggersmartcontract", trigger],
  ["triggerconstantcontract", callConstant],
  ["broadcasttransaction", broadcast],
  ["gettransactionbyid", (node, fields) => find(node, fields, (found) => transactionToJson(found, isVisible(fields)))],
  ["gettransactioninfobyid", (node, fields) => find(node, fields, infoToJson)],
  ["getaccount", ({ chain }, fields) => accountToJson(chain, fields)],
  // Fees are not simulated. These are the limits of an account without staked currency.
  [
    "getaccountresource",
    () => ({ freeNetLimit: 600, TotalNetLimit: 43_200_000_000, TotalEnergyLimit: 180_000_000_000 }),
  ],
]);

/** Responds to a request to the API of a full node, TronGrid or JSON-RPC. */
export async function respond(node: TronNode, { path, query, body }: LedgerCall): Promise<LedgerResponse> {
  const sent = parseJson(body);
  const fields: Fields = { ...Object.fromEntries(query), ...toFields(sent) };
  const [, group, name = ""] = /^\/(wallet|walletsolidity|v1\/accounts)\/([^/]+)$/u.exec(path) ?? [];
  try {
    if (path === "/jsonrpc") {
      const call = (one: unknown) => callJsonRpc(node, toFields(one));
      return { status: 200, body: Array.isArray(sent) ? sent.map(call) : call(sent) };
    }
    if (group === "v1/accounts") return { status: 200, body: gridAccount(node, name) };
    const handle = group === undefined ? undefined : HANDLERS.get(name);
    if (handle === undefined) return { status: 404, body: { Error: `${path} is not simulated` } };
    return { status: 200, body: await handle(node, fields) };
  } catch (error) {
    if (error instanceof CrosscallError) return { status: 200, body: { Error: error.message } };
    throw error;
  }
}

function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isVisible({ visible }: Fields): boolean {
  return visible === true || visible === "true";
}

/** @param wanted block number or id; the latest block by default */
function findBlock(chain: TronChain, wanted: unknown): Block | undefined {
  if (wanted === undefined) return chain.latest();
  const text = typeof wanted === "number" ? String(wanted) : wanted;
  if (typeof text !== "string") return undefined;
  const isId = text.length === 64 && isHex(`0x${text}`);
  const number = isId ? hexToNumber(`0x${text.slice(0, 16)}`) : Number(text);
  const block = Number.isSafeInteger(number) && number >= 0 ? chain.blockAt(number) : undefined;
  return isId && block?.id !== `0x${text}` ? undefined : block;
}

function blockToJson(chain: TronChain, block: Block | undefined, isDetailed = true): object {
  if (block === undefined) return {};
  const { id, parentId, number, timestamp } = block;
  const transactions = isDetailed ? chain.transactionsIn(block).map((found) => transactionToJson(found, false)) : [];
  return {
    blockID: id.slice(2),
    block_header: { raw_data: { number, parentHash: parentId.slice(2), timestamp } },
    ...(transactions.length > 0 ? { transactions } : {}),
  };
}

function trigger({ chain }: TronNode, fields: Fields): object {
  const call = parseCall(fields);
  if (!chain.accounts.isContract(call.contract)) return failed("Smart contract is not exist.");
  const feeLimit = typeof fields.fee_limit === "number" ? fields.fee_limit : 0;
  return { result: { result: true }, transaction: toJson(chain.build(call, feeLimit), isVisible(fields)) };
}

function callConstant({ chain }: TronNode, fields: Fields): object {
  const call = parseCall(fields);
  try {
    const output = chain.accounts.view(call);
    return { result: { result: true }, energy_used: 0, constant_result: [output.slice(2)] };
  } catch (error) {
    if (error instanceof Revert) return failed(error.message);
    throw error;
  }
}

function failed(message: string): object {
  return { result: { code: "CONTRACT_VALIDATE_ERROR", message: textToHex(message) } };
}

async function broadcast({ submit }: TronNode, fields: Fields): Promise<object> {
  const signed = parseTransaction(fields);
  const result = await submit(signed);
  const txid = toJson(signed.raw).txID;
  if ("code" in result) return { code: result.code, txid, message: textToHex(result.message) };
  return { result: true, txid };
}

function textToHex(text: string): string {
  return stringToHex(text).slice(2);
}

/** Finds a transaction. Like the node, returns an empty object for an unknown transaction. */
function find({ chain }: TronNode, { value }: Fields, write: (found: IncludedTransaction) => object): object {
  const found = typeof value === "string" ? chain.transaction(value.replace(/^0x/u, "").toLowerCase()) : undefined;
  return found === undefined ? {} : write(found);
}

function transactionToJson(transaction: IncludedTransaction, visible: boolean): object {
  return {
    ret: [{ contractRet: transaction.revertReason === undefined ? "SUCCESS" : "REVERT" }],
    signature: transaction.signatures.map((signature) => signature.slice(2)),
    ...toJson(transaction.raw, visible),
  };
}

function infoToJson({ id, raw: { operation }, block, revertReason, output, logs }: IncludedTransaction): object {
  const isCall = operation.type === "TriggerSmartContract";
  const resultOf = (): object => {
    if (!isCall) return {};
    return { result: revertReason === undefined ? "SUCCESS" : "REVERT", energy_usage_total: 0 };
  };
  return {
    id,
    fee: 0,
    blockNumber: block.number,
    blockTimeStamp: block.timestamp,
    contractResult: [output.slice(2)],
    ...(isCall ? { contract_address: toHexForm(operation.contract) } : {}),
    receipt: { net_fee: 0, ...resultOf() },
    ...(revertReason === undefined ? {} : { result: "FAILED", resMessage: textToHex(revertReason) }),
    ...(logs.length === 0 ? {} : { log: logs.map(logToJson) }),
  };
}

/** Formats a log, whose addresses lack the first byte. */
function logToJson({ address, topics, data }: IncludedTransaction["logs"][number]): object {
  return { address: address.slice(2), topics: topics.map((topic) => topic.slice(2)), data: data.slice(2) };
}

function accountToJson({ accounts }: TronChain, fields: Fields): object {
  const address = readAddress(fields.address, "address");
  const balance = accounts.balanceOf(address);
  // An account exists once it has received native currency.
  if (balance === 0n) return {};
  return { address: isVisible(fields) ? toBase58(address) : toHexForm(address), balance: Number(balance) };
}

function gridAccount({ chain: { accounts }, tokens }: TronNode, text: string): object {
  const address = readAddress(text, "address");
  const balance = accounts.balanceOf(address);
  const trc20 = tokens
    .map((token) => [token, accounts.balanceOf(address, token.address)] as const)
    .filter(([, amount]) => amount > 0n)
    .map(([token, amount]) => ({ [toBase58(token.address)]: amount.toString() }));
  const isActive = balance > 0n || trc20.length > 0;
  const data = isActive ? [{ address: toHexForm(address), balance: Number(balance), trc20 }] : [];
  return { data, success: true, meta: { at: 0, page_size: data.length } };
}

/** Responds to the JSON-RPC methods of Ethereum that the oracle calls. */
function callJsonRpc({ chain }: TronNode, { id = null, method, params }: Fields): object {
  const [first] = Array.isArray(params) ? (params as readonly unknown[]) : [];
  const answer = (result: unknown): object => ({ jsonrpc: "2.0", id, result });
  switch (method) {
    case "eth_chainId":
      return answer(numberToHex(TRON_CHAIN_ID));
    case "eth_blockNumber":
      return answer(numberToHex(chain.latest().number));
    case "eth_getBlockByNumber": {
      const block = isHex(first) ? chain.blockAt(hexToNumber(first)) : chain.latest();
      return answer(block === undefined ? null : toEvmBlock(block));
    }
    case "eth_getTransactionReceipt": {
      const found = isHex(first) ? chain.transaction(first.slice(2).toLowerCase()) : undefined;
      return answer(found === undefined ? null : toEvmReceipt(found));
    }
    default:
      return { jsonrpc: "2.0", id, error: { code: -32_601, message: `${String(method)} is not simulated` } };
  }
}

function toEvmBlock({ id, parentId, number, timestamp }: Block): object {
  return {
    hash: id,
    parentHash: parentId,
    number: numberToHex(number),
    timestamp: numberToHex(Math.floor(timestamp / 1_000)),
  };
}

function toEvmReceipt({ id, raw: { operation }, block, revertReason, logs, logIndex }: IncludedTransaction): object {
  const transactionHash: Hex = `0x${id}`;
  const to: Address = operation.type === "TransferContract" ? operation.to : operation.contract;
  return {
    transactionHash,
    blockHash: block.id,
    blockNumber: numberToHex(block.number),
    from: operation.owner,
    to,
    status: revertReason === undefined ? "0x1" : "0x0",
    logs: logs.map(({ address, topics, data }, index) => ({
      address,
      topics,
      data,
      logIndex: numberToHex(logIndex + index),
      blockHash: block.id,
      transactionHash,
    })),
  };
}
