import {
  BaseError,
  decodeErrorResult,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  RpcRequestError,
  size,
} from "viem";

import { creationCode, ForeignCodeError } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { CodeRange } from "../../artifacts.ts";
import type { Target } from "../../options/target.ts";
import type { PlannedContract } from "./plan.ts";

/** Maximum number of contracts that a constructor deploys. */
const MAX_CHILDREN = 4;

/** Result of running creation code on the chain's current state. */
export type Simulation =
  /**
   * In the code, this deployment's addresses replace the simulated ones that the constructor stored for itself and its
   * children.
   */
  | { readonly outcome: "code"; readonly codeWord: (start: number) => Hex }
  | { readonly outcome: "reverted"; readonly reason: string }
  /** The node does not run creation code. */
  | { readonly outcome: "unknown" };

/** Runs creation code without a transaction, as its creator would. */
async function simulateCreation({ client }: Target, contract: PlannedContract): Promise<Simulation> {
  const { artifact, args, address, creator } = contract;
  const blockNumber = await client.getBlockNumber();
  const nonce = await client.getTransactionCount({ address: creator, blockNumber });
  try {
    const code = await client.request({
      method: "eth_call",
      params: [{ from: creator, data: creationCode({ artifact, args }) }, numberToHex(blockNumber)],
    });
    // `eth_call` derives the contract's address from the sender's next nonce, so simulated addresses differ.
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

function wordAt(code: Hex, start: number): Hex {
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

export type Standing =
  | { readonly state: "absent" }
  | {
      readonly state: "standing";
      /** Keccak-256 of the code on the chain. */
      readonly codeHash: Hex;
      /** `masked` if the immutables could not be computed, because the constructor would revert now. */
      readonly match: "exact" | "masked";
    };

export interface SurveyedContract {
  readonly contract: PlannedContract;
  readonly standing: Standing;
}

/** Checks which contracts are deployed with the build's code, and whether the other constructors would succeed. */
export async function surveyChain(target: Target, plan: readonly PlannedContract[]): Promise<SurveyedContract[]> {
  const surveyed: SurveyedContract[] = [];
  for (const contract of plan) surveyed.push({ contract, standing: await survey(target, contract, surveyed) });
  return surveyed;
}

async function survey(
  target: Target,
  contract: PlannedContract,
  earlier: readonly SurveyedContract[],
): Promise<Standing> {
  const code = await target.client.getCode({ address: contract.address });
  const simulation = await simulateCreation(target, contract);
  if (code !== undefined) {
    const codeHash = keccak256(code);
    const comparison = compareCode(contract, code, simulation);
    if (comparison.result !== "foreign") return { state: "standing", codeHash, match: comparison.result };
    throw new ForeignCodeError({
      chainId: target.chainId,
      contract: contract.name,
      address: contract.address,
      codeHash,
      offset: comparison.offset,
    });
  }
  // A constructor that needs a missing contract cannot be checked before it runs.
  const waits = earlier.some(
    ({ contract: { name }, standing }) => contract.needs.includes(name) && standing.state === "absent",
  );
  if (simulation.outcome === "reverted" && !waits) {
    throw rejectedArguments(target, contract, simulation.reason);
  }
  return { state: "absent" };
}

/** Names the argument if the constructor's error contains its value, and otherwise all arguments. */
function rejectedArguments({ chainId }: Target, contract: PlannedContract, reason: string): InvalidInputError {
  const texts = Object.entries(contract.argumentTexts);
  const named = texts.filter(([, text]) => typeof text === "string" && reason.includes(text));
  const [argument, value] = named.length === 1 ? (named[0] ?? []) : [];
  const all = texts.map(([name, text]) => `${name} ${String(text)}`).join(", ");
  return new InvalidInputError({
    field: argument === undefined ? contract.at : `${contract.at}.${argument}`,
    value: argument === undefined ? texts.map(([name]) => name) : value,
    reason: `the constructor of ${contract.contract} rejects ${argument === undefined ? all : "it"} on chain ${chainId}: ${reason}`,
    hint: `Correct the arguments of ${contract.name}: docs/deployment.md describes them. Or select other contracts with --only.`,
  });
}

export type CodeComparison =
  /** Every byte is equal, including immutables. */
  | { readonly result: "exact" }
  /** The code is equal except for immutables, which could not be computed. */
  | { readonly result: "masked" }
  | { readonly result: "foreign"; readonly offset: number };

/** Compares the code with the artifact, and the immutables with a run of the creation code on the chain. */
function compareCode({ artifact }: PlannedContract, code: Hex, simulation: Simulation): CodeComparison {
  const immutables = Object.values(artifact.immutableReferences).flat();
  const offset = firstDifference(mask(code, immutables), mask(artifact.deployedBytecode, immutables));
  if (offset !== undefined) return { result: "foreign", offset };
  if (immutables.length === 0) return { result: "exact" };
  if (simulation.outcome !== "code") return { result: "masked" };
  const different = immutables.find(({ start }) => wordAt(code, start) !== simulation.codeWord(start));
  return different === undefined ? { result: "exact" } : { result: "foreign", offset: different.start };
}

/** Replaces immutables with zeros, as in the artifact. */
function mask(code: Hex, ranges: readonly CodeRange[]): string {
  let text: string = code;
  for (const { start, length } of ranges) {
    const from = 2 + start * 2;
    const to = from + length * 2;
    // Shorter code does not match anyway, because its length differs.
    if (to <= text.length) text = text.slice(0, from) + "0".repeat(length * 2) + text.slice(to);
  }
  return text;
}

function firstDifference(a: string, b: string): number | undefined {
  if (a === b) return undefined;
  const end = Math.min(size(a as Hex), size(b as Hex));
  for (let byte = 0; byte < end; byte += 1) {
    if (a.slice(2 + byte * 2, 4 + byte * 2) !== b.slice(2 + byte * 2, 4 + byte * 2)) return byte;
  }
  return end;
}
