import { type Address, type Hex, numberToHex } from "viem";

import type { BlockHeader } from "./blockHeader.ts";
import type { StateNode } from "../stateNode.ts";

export interface BlockEnvironment {
  readonly number: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Wei. */
  readonly baseFeePerGas: bigint;
  readonly gasLimit: bigint;
  readonly miner: Address;
  readonly mixHash: Hex;
}

/** The block after the forked one: the real one, or a plausible one. */
export function environmentAfter(header: BlockHeader, next: BlockHeader | undefined): BlockEnvironment {
  return next ?? { ...header, number: header.number + 1n, timestamp: header.timestamp + 1n };
}

export async function prepareBlock(node: StateNode, environment: BlockEnvironment): Promise<void> {
  await node.request("evm_setNextBlockTimestamp", [numberToHex(environment.timestamp)]);
  await node.request("hardhat_setNextBlockBaseFeePerGas", [numberToHex(environment.baseFeePerGas)]);
  await node.request("hardhat_setCoinbase", [environment.miner]);
  await node.request("hardhat_setPrevRandao", [environment.mixHash]);
  await node.request("evm_setBlockGasLimit", [numberToHex(environment.gasLimit)]);
}
