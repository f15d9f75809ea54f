import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  type Log,
  parseAbi,
  parseEventLogs,
  zeroAddress,
} from "viem";

import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { Fork } from "../fork/fork.ts";

/** Balances and permissions that the steps could change. */
export interface Holdings {
  readonly native: bigint;
  readonly output: bigint;
  readonly tokens: ReadonlyMap<Address, bigint>;
  /** The user's permissions by {@link permissionKey}; 1 for a permitted operator or NFT. */
  readonly permissions: ReadonlyMap<string, bigint>;
  /** The user's ERC-1155 balances by token and id. */
  readonly items: ReadonlyMap<string, bigint>;
  /** Balances of the called contract, in the currencies of the request. */
  readonly called: ReadonlyMap<Address, bigint>;
}

/** Permission for another account: for an amount, for one NFT, or for all tokens of a contract. */
export interface Permission {
  readonly kind: "amount" | "id" | "all";
  readonly token: Address;
  readonly spender: Address;
  /** Of an NFT. */
  readonly id: bigint;
}

export interface Touched {
  readonly tokens: ReadonlySet<Address>;
  readonly permissions: readonly Permission[];
  readonly items: readonly { readonly token: Address; readonly id: bigint }[];
}

/** Events of ERC-20 and ERC-721, which have the same signatures, and of ERC-1155. */
const EVENTS = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 amount)",
  "event Approval(address indexed owner, address indexed spender, uint256 amount)",
  "event ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
  "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 amount)",
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] amounts)",
]);
const NFT_EVENTS = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 indexed id)",
  "event Approval(address indexed owner, address indexed approved, uint256 indexed id)",
]);
const NFT = parseAbi([
  "function getApproved(uint256 id) view returns (address)",
  "function isApprovedForAll(address owner, address operator) view returns (bool)",
  "function balanceOf(address owner, uint256 id) view returns (uint256)",
]);

/** Lists tokens that leave the user, and permissions for other accounts. */
export function touchedBy(logs: readonly Log[], user: Address): Touched {
  const tokens = new Set<Address>();
  const permissions: Permission[] = [];
  const items: { token: Address; id: bigint }[] = [];
  for (const { address: token, eventName, args } of parseEventLogs({ abi: EVENTS, logs: [...logs] })) {
    const owner = "owner" in args ? args.owner : args.from;
    if (!isSameAddress(owner, user)) continue;
    if (eventName === "Transfer") tokens.add(token);
    if (eventName === "Approval") permissions.push({ kind: "amount", token, spender: args.spender, id: 0n });
    if (eventName === "ApprovalForAll") permissions.push({ kind: "all", token, spender: args.operator, id: 0n });
    if (eventName === "TransferSingle") items.push({ token, id: args.id });
    if (eventName === "TransferBatch") items.push(...args.ids.map((id) => ({ token, id })));
  }
  for (const { address: token, eventName, args } of parseEventLogs({ abi: NFT_EVENTS, logs: [...logs] })) {
    if (eventName === "Transfer" && isSameAddress(args.from, user)) tokens.add(token);
    if (eventName === "Approval" && isSameAddress(args.owner, user)) {
      permissions.push({ kind: "id", token, spender: args.approved, id: args.id });
    }
  }
  const distinct = new Map(permissions.map((one) => [permissionKey(one), one]));
  return { tokens, permissions: [...distinct.values()], items };
}

/** @param called contract that makes the calls of a request on one chain */
export async function readHoldings(
  fork: Fork,
  { user, recipient = user, destinationCurrency, originCurrency }: QuoteRequest,
  touched: Touched,
  called: Address | undefined,
): Promise<Holdings> {
  const owner = user as Address;
  const tokens = new Map<Address, bigint>();
  const read = isEvmNative(originCurrency) ? touched.tokens : new Set([...touched.tokens, originCurrency as Address]);
  for (const token of read) tokens.set(token, await balanceOf(fork, token, owner));
  const permissions = new Map<string, bigint>();
  for (const one of touched.permissions) permissions.set(permissionKey(one), await readPermission(fork, owner, one));
  const items = new Map<string, bigint>();
  for (const { token, id } of touched.items) {
    const data = encodeFunctionData({ abi: NFT, functionName: "balanceOf", args: [owner, id] });
    items.set(`${token} ${id}`, hexToBigInt(await call(fork, token, data)));
  }
  const kept = new Map<Address, bigint>();
  if (called !== undefined) {
    for (const currency of [originCurrency, destinationCurrency] as Address[]) {
      kept.set(currency, await balanceOf(fork, currency, called));
    }
  }
  return {
    called: kept,
    native: await balanceOf(fork, zeroAddress, owner),
    output: await balanceOf(fork, destinationCurrency as Address, recipient as Address).catch(() => 0n),
    tokens,
    permissions,
    items,
  };
}

function permissionKey({ kind, token, spender, id }: Permission): string {
  return [kind, token, spender, id].join(" ");
}

/** Returns the permitted amounts before and after the steps. */
export function permitted(one: Permission, before: Holdings, after: Holdings): readonly [was: bigint, left: bigint] {
  const key = permissionKey(one);
  return [before.permissions.get(key) ?? 0n, after.permissions.get(key) ?? 0n];
}

async function readPermission(fork: Fork, owner: Address, { kind, token, spender, id }: Permission): Promise<bigint> {
  switch (kind) {
    case "amount": {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [owner, spender] });
      return hexToBigInt(await call(fork, token, data));
    }
    case "all": {
      const data = encodeFunctionData({ abi: NFT, functionName: "isApprovedForAll", args: [owner, spender] });
      return hexToBigInt(await call(fork, token, data));
    }
    case "id": {
      // A sold NFT no longer has the user's approval.
      const data = encodeFunctionData({ abi: NFT, functionName: "getApproved", args: [id] });
      const approved = await call(fork, token, data).catch((): Hex => "0x00");
      return spender !== zeroAddress && hexToBigInt(approved) === hexToBigInt(spender) ? 1n : 0n;
    }
  }
}

async function balanceOf(fork: Fork, token: Address, account: Address): Promise<bigint> {
  if (isEvmNative(token)) return hexToBigInt((await fork.request("eth_getBalance", [account, "latest"])) as Hex);
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
  return decodeFunctionResult({ abi: erc20Abi, functionName: "balanceOf", data: await call(fork, token, data) });
}

async function call(fork: Fork, to: Address, data: Hex): Promise<Hex> {
  return (await fork.request("eth_call", [{ to, data }, "latest"])) as Hex;
}
