import type { Address, Hex } from "viem";
import { ChainError } from "@crosscall/protocol/core";

export interface BlockHeader {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  readonly miner: Address;
  /** Base fee in wei; 0 before London. */
  readonly baseFeePerGas: bigint;
  /** `prevrandao` since the merge. */
  readonly mixHash: Hex;
  /** Newest rules that the header's fields prove, or Cancun by default. */
  readonly rules: "london" | "merge" | "shanghai" | "cancun" | "prague";
  /** Whether the block has base fee parameters, like OP Stack blocks since Holocene. */
  readonly hasFeeParameters: boolean;
  /** Hashes, in order. */
  readonly transactions: readonly Hex[];
}

/** Maximum difficulty of a block without proof of work. */
const MOST_DECREED_DIFFICULTY = 2n ** 40n;

/**
 * Parses the header of a block.
 *
 * @throws {@link ChainError} if the value is not a block
 */
export function readHeader(chainId: number, block: unknown): BlockHeader {
  if (typeof block !== "object" || block === null || !("number" in block)) {
    throw new ChainError({
      message: `the node of chain ${chainId} returned a malformed block`,
      hint: "Check that the RPC URL belongs to a node of an EVM chain.",
      chainId,
    });
  }
  const fields = block as Record<string, unknown>;
  const quantity = (name: string): bigint => BigInt((fields[name] as Hex | undefined | null) ?? 0);
  return {
    number: quantity("number"),
    hash: fields.hash as Hex,
    parentHash: fields.parentHash as Hex,
    timestamp: quantity("timestamp"),
    gasLimit: quantity("gasLimit"),
    miner: fields.miner as Address,
    baseFeePerGas: quantity("baseFeePerGas"),
    mixHash: fields.mixHash as Hex,
    rules: rulesOf(fields),
    hasFeeParameters: typeof fields.extraData === "string" && fields.extraData.length > 2,
    transactions: ((fields.transactions ?? []) as (Hex | { hash: Hex })[]).map((each) =>
      typeof each === "string" ? each : each.hash,
    ),
  };
}

function rulesOf(fields: Record<string, unknown>): BlockHeader["rules"] {
  const has = (name: string): boolean => fields[name] !== undefined && fields[name] !== null;
  if (has("requestsHash")) return "prague";
  if (has("parentBeaconBlockRoot")) return "cancun";
  if (has("withdrawalsRoot")) return "shanghai";
  const difficulty = BigInt((fields.difficulty as Hex | undefined) ?? 0);
  if (difficulty === 0n) return "merge";
  // Rollups and proof-of-authority chains have a small difficulty, and follow Ethereum's rules without header fields
  // that prove it.
  return difficulty > MOST_DECREED_DIFFICULTY ? "london" : "cancun";
}
