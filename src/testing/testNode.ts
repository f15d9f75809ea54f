import { type Address, type Hex, hexToBigInt, type RpcBlock, size } from "viem";

import { createTurns, type TakeTurn } from "../localnet/chains/turns.ts";
import type { StateNode } from "../replay/stateNode.ts";

/** The network connection of a Hardhat test (`await network.create()`), or whatever has an EIP-1193 provider. */
export interface TestConnection {
  readonly provider: TestProvider;
}

/** The provider of a connection. */
export interface TestProvider {
  request(call: { readonly method: string; readonly params?: unknown[] }): Promise<unknown>;
}

const turns = new WeakMap<TestProvider, TakeTurn>();

/** Asks the node of a connection. */
export function nodeOf({ provider }: TestConnection): StateNode {
  return { request: (method, params = []) => provider.request({ method, params: [...params] }) };
}

/** Runs what changes a chain and takes it back: one at a time for each chain, or each would take the others' back. */
export function takeTurn<Result>({ provider }: TestConnection, work: () => Promise<Result>): Promise<Result> {
  const known = turns.get(provider) ?? createTurns();
  turns.set(provider, known);
  return known(work);
}

/** The latest block of a chain. */
export async function latestBlock(node: StateNode): Promise<{ readonly gasLimit: bigint; readonly baseFee: bigint }> {
  const { gasLimit, baseFeePerGas } = (await node.request("eth_getBlockByNumber", ["latest", false])) as RpcBlock;
  return { gasLimit: hexToBigInt(gasLimit), baseFee: baseFeePerGas == null ? 0n : hexToBigInt(baseFeePerGas) };
}

/** Whether an account has code. */
export async function isContract(node: StateNode, account: Address): Promise<boolean> {
  return size((await node.request("eth_getCode", [account, "latest"])) as Hex) > 0;
}

/** Where a fork begins; undefined for a chain that is none. */
export type ForkOrigin = { readonly forkBlockNumber: number } | undefined;

/** Where the chain of a node was forked, if it was. */
export async function forkOrigin(node: StateNode): Promise<ForkOrigin> {
  const { forkedNetwork } = (await node.request("hardhat_metadata")) as { readonly forkedNetwork?: ForkOrigin | null };
  return forkedNetwork ?? undefined;
}
