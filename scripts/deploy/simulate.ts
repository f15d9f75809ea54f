import { BaseError, type Hex, RpcRequestError, decodeErrorResult, getContractAddress, numberToHex } from "viem";

import { creationCode } from "@crosscall/sdk/internal/chains/create2";
import type { PlannedContract } from "./plan.ts";
import type { Target } from "../options/target.ts";

/** Maximum number of contracts that a constructor deploys. */
const MAX_CHILDREN = 4;

/** Result of running creation code on the chain's present state. */
export type Simulation =
  /** With this deployment's addresses where the constructor stored its own or its children's. */
  | { readonly outcome: "code"; readonly codeWord: (start: number) => Hex }
  | { readonly outcome: "reverted"; readonly reason: string }
  /** The node does not run creation code. */
  | { readonly outcome: "unknown" };

/** Runs creation code as its creator would, without a transaction. */
export async function simulateCreation({ client }: Target, contract: PlannedContract): Promise<Simulation> {
  const { artifact, args, address, creator } = contract;
  const blockNumber = await client.getBlockNumber();
  const nonce = await client.getTransactionCount({ address: creator, blockNumber });
  try {
    const code = await client.request({
      method: "eth_call",
      params: [{ from: creator, data: creationCode({ artifact, args }) }, numberToHex(blockNumber)],
    });
    // A call deploys at its sender's next nonce, so derived addresses differ.
    const simulated = getContractAddress({ from: creator, nonce: BigInt(nonce) });
    const own = new Map([[toWord(simulated), toWord(address)]]);
    for (let child = 1n; child <= MAX_CHILDREN; child += 1n) {
      own.set(
        toWord(getContractAddress({ from: simulated, nonce: child })),
        toWord(getContractAddress({ from: address, nonce: child })),
      );
    }
    return {
      outcome: "code",
      codeWord(start) {
        const word = wordAt(code, start);
        return own.get(word) ?? word;
      },
    };
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const cause = error.walk((inner) => inner instanceof RpcRequestError);
    if (!(cause instanceof RpcRequestError)) throw error;
    const data = revertData(cause);
    if (data === undefined && !/revert/iu.test(cause.details)) return { outcome: "unknown" };
    return { outcome: "reverted", reason: describeRevert(contract, data ?? "0x") };
  }
}

export function wordAt(code: Hex, start: number): Hex {
  return `0x${code.slice(2 + start * 2, 2 + (start + 32) * 2)}`;
}

function toWord(address: string): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;
}

function revertData({ data }: RpcRequestError): Hex | undefined {
  const inner: unknown = typeof data === "object" && data !== null && "data" in data ? data.data : data;
  return typeof inner === "string" && inner.startsWith("0x") ? (inner as Hex) : undefined;
}

function describeRevert({ artifact }: PlannedContract, data: Hex): string {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: artifact.abi, data });
    return `${errorName}(${args.map(String).join(", ")})`;
  } catch {
    return data === "0x" ? "no reason" : data;
  }
}
