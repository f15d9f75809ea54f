import {
  type Abi,
  type Address,
  type ContractFunctionName,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  size,
  slice,
} from "viem";

import type { OracleNetwork } from "./oracleNetwork.ts";

/**
 * Code that returns the bytes stored at the hash of the call data or, if there are none, at the hash of the function's
 * selector. The slot at the hash contains their length, and the next slots contain their words.
 */
const RESPONSES_CODE: Hex =
  "0x365f5f37365f20805480601557505060045f2080545b5f5b818110156031578060051c60010183015481526020016017565b505ff3";

/** Return value of a hub contract. */
export interface Answer<ContractAbi extends Abi> {
  readonly functionName: ContractFunctionName<ContractAbi>;
  /** Arguments of the call. If omitted, the value applies to all other calls to the function. */
  readonly args?: readonly unknown[];
  readonly result: unknown;
}

/** Stand-in for a hub contract that returns values set by a test. */
export class Answers<const ContractAbi extends Abi> {
  readonly #network: OracleNetwork;
  readonly #abi: ContractAbi;
  readonly address: Address;

  private constructor(network: OracleNetwork, address: Address, abi: ContractAbi) {
    this.#network = network;
    this.address = address;
    this.#abi = abi;
  }

  static async at<const ContractAbi extends Abi>(
    network: OracleNetwork,
    address: Address,
    abi: ContractAbi,
    defaults: readonly Answer<ContractAbi>[],
  ): Promise<Answers<ContractAbi>> {
    await network.control("hardhat_setCode", [address, RESPONSES_CODE]);
    const answers = new Answers(network, address, abi);
    for (const answer of defaults) await answers.set(answer);
    return answers;
  }

  async set({ functionName, args, result }: Answer<ContractAbi>): Promise<void> {
    const abi: Abi = this.#abi.filter((entry) => entry.type === "function" && entry.name === functionName);
    const name: string = functionName;
    const call = encodeFunctionData({ abi, functionName: name, args: args ?? blanks(abi[0]) });
    const answer = encodeFunctionResult({ abi, functionName: name, result });
    await this.#store(keccak256(args === undefined ? slice(call, 0, 4) : call), answer);
  }

  async #store(key: Hex, answer: Hex): Promise<void> {
    const write = (slot: bigint, value: Hex): Promise<unknown> =>
      this.#network.control("hardhat_setStorageAt", [this.address, numberToHex(slot, { size: 32 }), value]);
    const base = BigInt(key);
    await write(base, numberToHex(size(answer), { size: 32 }));
    for (let at = 0; at < size(answer); at += 32) {
      await write(
        base + 1n + BigInt(at / 32),
        pad(slice(answer, at, Math.min(at + 32, size(answer))), { dir: "right" }),
      );
    }
  }
}

/** Returns placeholder arguments, used only to compute the function's selector. */
function blanks(entry: Abi[number] | undefined): readonly unknown[] {
  if (entry?.type !== "function") return [];
  return entry.inputs.map(({ type }) => {
    if (type === "string") return "";
    if (type === "address") return `0x${"0".repeat(40)}`;
    if (type === "bytes32") return `0x${"0".repeat(64)}`;
    return type === "bytes" ? "0x" : 0n;
  });
}
