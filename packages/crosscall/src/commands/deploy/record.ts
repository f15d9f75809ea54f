import { type FileHandle, readFile } from "node:fs/promises";

import * as Type from "typebox";
import { type Address, BaseError, keccak256 } from "viem";

import { CREATE2_FACTORY, CREATE2_SALT, creationCode } from "@crosscall/protocol/chains";
import { MalformedDataError } from "@crosscall/protocol/core";
import { hexText, nullable, oneOf, parseData, requireJson } from "@crosscall/protocol/schema";
import { readBuildInfo } from "../../artifacts.ts";
import type { Target } from "../../options/target.ts";
import { replaceFile } from "../../terminal/replaceFile.ts";
import type { PlannedContract } from "./plan.ts";
import type { SurveyedContract } from "./survey.ts";

const RecordedContractSchema = Type.Object({
  contract: Type.String({ description: "Source path and name." }),
  state: oneOf(
    ["computed", "deployed"],
    "Computed: the address in a release, whether or not it has code. Deployed: `deploy` checked the code.",
  ),
  address: hexText("Address on the chain.", 20),
  creator: hexText("Address that created it: the factory, or the contract that deployed it in its constructor.", 20),
  block: nullable(
    Type.Integer({
      minimum: 0,
      description: "Number of the block that created it; null if only computed, or if the node has no old state.",
    }),
  ),
  arguments: Type.Record(Type.String(), Type.Unknown(), { description: "Constructor arguments by name." }),
  creationCodeHash: hexText(
    "Keccak-256 of the creation code with the arguments, from which the address is derived.",
    32,
  ),
  bytecodeHash: nullable(hexText("Keccak-256 of the code on the chain; null if only computed.", 32)),
  compiler: Type.Object({
    version: Type.String(),
    evmVersion: Type.String(),
    viaIR: Type.Boolean(),
    optimizerRuns: nullable(Type.Integer({ description: "Null if the optimizer is off." })),
  }),
});

const RECORD_FIELDS = {
  factory: hexText("The CREATE2 factory.", 20),
  salt: hexText("Salt of every contract.", 32),
  contracts: Type.Record(Type.String(), RecordedContractSchema),
};

const DeploymentRecordSchema = Type.Object({ chainId: Type.Integer({ minimum: 1 }), ...RECORD_FIELDS });

/** Schema of a release's records: one record for all chains with the same addresses. */
export const ComputedRecordsSchema = Type.Array(
  Type.Object({ chainIds: Type.Array(Type.Integer({ minimum: 1 })), ...RECORD_FIELDS }),
);

export type RecordedContract = Type.Static<typeof RecordedContractSchema>;

export type DeploymentRecord = Type.Static<typeof DeploymentRecordSchema>;

export interface ReadRecord {
  readonly text: string;
  readonly record: DeploymentRecord;
}

export async function readRecord(path: string, chainId: number): Promise<ReadRecord | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const record = parseData(DeploymentRecordSchema, requireJson(text, path), path);
  if (record.chainId === chainId) return { text, record };
  throw new MalformedDataError({ what: path, path: "chainId", reason: `it must be ${chainId}` });
}

/**
 * Updates this run's contracts in the record, and keeps others that still exist. Writes the file atomically, and only
 * if it changed.
 *
 * @returns whether the file changed
 */
export async function writeRecord(
  target: Target,
  path: string,
  before: ReadRecord | undefined,
  surveyed: readonly SurveyedContract[],
): Promise<boolean> {
  const earlier = before?.record.contracts ?? {};
  const contracts: Record<string, RecordedContract> = {};
  for (const [name, recorded] of Object.entries(earlier)) {
    const isKept =
      recorded.state === "computed" ||
      (await target.client.getCode({ address: recorded.address as Address })) !== undefined;
    if (isKept) contracts[name] = recorded;
  }
  for (const { contract, standing } of surveyed) {
    if (standing.state === "absent") continue;
    contracts[contract.name] = await toRecorded(target, contract, standing.codeHash, earlier[contract.name]);
  }
  const text = formatRecord(target.chainId, contracts);
  if (text === before?.text) return false;
  const write = async (handle: FileHandle): Promise<void> => {
    await handle.writeFile(text);
    await handle.sync();
  };
  await replaceFile(path, write, { field: "--folder", makesFolder: true });
  return true;
}

/** Formats a record with contracts sorted by name. */
export function formatRecord(chainId: number, contracts: Readonly<Record<string, RecordedContract>>): string {
  const record: DeploymentRecord = {
    chainId,
    factory: CREATE2_FACTORY,
    salt: CREATE2_SALT,
    contracts: Object.fromEntries(Object.entries(contracts).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** Returns the parts of a contract's record that need no chain. */
export function toComputed(contract: PlannedContract): RecordedContract {
  const { artifact, args, build, source, address, creator, argumentTexts } = contract;
  const { solcLongVersion, input } = readBuildInfo(artifact, build);
  const { evmVersion, viaIR = false, optimizer } = input.settings;
  return {
    contract: `contracts/${source}.sol:${artifact.contractName}`,
    state: "computed",
    address,
    creator,
    block: null,
    arguments: { ...argumentTexts },
    creationCodeHash: keccak256(creationCode({ artifact, args })),
    bytecodeHash: null,
    compiler: {
      version: solcLongVersion,
      evmVersion,
      viaIR,
      optimizerRuns: optimizer.enabled ? optimizer.runs : null,
    },
  };
}

async function toRecorded(
  target: Target,
  contract: PlannedContract,
  bytecodeHash: string,
  earlier: RecordedContract | undefined,
): Promise<RecordedContract> {
  const { address } = contract;
  const isSame = earlier?.address === address && earlier.bytecodeHash === bytecodeHash;
  const block = await findCreationBlock(target, address, isSame ? earlier.block : null);
  return { ...toComputed(contract), state: "deployed", block, bytecodeHash };
}

/**
 * Finds the block that created a contract by bisection.
 *
 * @param known result of an earlier run, tried first
 * @returns `known` if the node has no old state
 */
async function findCreationBlock({ client }: Target, address: Address, known: number | null): Promise<number | null> {
  const standsAt = async (block: bigint): Promise<boolean> =>
    (await client.getCode({ address, blockNumber: block })) !== undefined;
  try {
    if (known !== null && (await isCreation(standsAt, BigInt(known)))) return known;
    let after = -1n;
    let at = await client.getBlockNumber();
    // Most contracts are new, so doubling steps find their blocks without old state.
    for (let step = 1n; at - step > after; step *= 2n) {
      if (await standsAt(at - step)) {
        at -= step;
      } else {
        after = at - step;
        break;
      }
    }
    while (at - after > 1n) {
      const middle = (at + after) / 2n;
      if (await standsAt(middle)) at = middle;
      else after = middle;
    }
    return Number(at);
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    return known;
  }
}

async function isCreation(standsAt: (block: bigint) => Promise<boolean>, block: bigint): Promise<boolean> {
  return (await standsAt(block)) && (block === 0n || !(await standsAt(block - 1n)));
}
