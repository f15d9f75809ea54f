import { type FileHandle, readFile } from "node:fs/promises";

import * as Type from "typebox";
import type { Address } from "viem";

import { readBuildInfo } from "../../src/artifacts.ts";
import { CREATE2_FACTORY, CREATE2_SALT } from "@crosscall/sdk/internal/chains/create2";
import { MalformedDataError } from "@crosscall/sdk/internal/core/errors";
import { parseData } from "@crosscall/sdk/internal/protocol/schema/parse";
import { hexText, nullable } from "@crosscall/sdk/internal/protocol/schema/schemaParts";
import { replaceFile } from "../terminal/replaceFile.ts";
import { findCreationBlock } from "./creationBlock.ts";
import type { PlannedContract } from "./plan.ts";
import type { SurveyedContract } from "./survey.ts";
import type { Target } from "../options/target.ts";

const RecordedContractSchema = Type.Object({
  contract: Type.String({ description: "Path of the source and name." }),
  address: hexText("Where it stands.", 20),
  creator: hexText("The factory, or the contract whose constructor deployed it.", 20),
  block: nullable(
    Type.Integer({ minimum: 0, description: "The block that created it; null where the node keeps no old state." }),
  ),
  arguments: Type.Record(Type.String(), Type.Unknown(), { description: "The constructor's, by name." }),
  bytecodeHash: hexText("Keccak-256 of the code on the chain.", 32),
  compiler: Type.Object({
    version: Type.String(),
    evmVersion: Type.String(),
    viaIR: Type.Boolean(),
    optimizerRuns: nullable(Type.Integer({ description: "Null where the optimizer is off." })),
  }),
});

const DeploymentRecordSchema = Type.Object({
  chainId: Type.Integer({ minimum: 1 }),
  factory: hexText("The CREATE2 factory.", 20),
  salt: hexText("The salt of every deployment.", 32),
  contracts: Type.Record(Type.String(), RecordedContractSchema),
});

export type RecordedContract = Type.Static<typeof RecordedContractSchema>;

export type DeploymentRecord = Type.Static<typeof DeploymentRecordSchema>;

export interface ReadRecord {
  readonly text: string;
  readonly record: DeploymentRecord;
}

/** @throws {@link MalformedDataError} if the file is not a record of this chain */
export async function readRecord(path: string, chainId: number): Promise<ReadRecord | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new MalformedDataError({ what: path, path: "", reason: "it is not JSON", cause });
  }
  const record = parseData(DeploymentRecordSchema, value, path);
  if (record.chainId === chainId) return { text, record };
  throw new MalformedDataError({ what: path, path: "chainId", reason: `it must be ${chainId}` });
}

/**
 * Updates this run's contracts, and keeps others that still exist. Writes atomically, and only changes.
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
    const code = await target.client.getCode({ address: recorded.address as Address });
    if (code !== undefined) contracts[name] = recorded;
  }
  for (const { contract, standing } of surveyed) {
    if (standing.state === "absent") continue;
    contracts[contract.name] = await toRecorded(target, contract, standing.codeHash, earlier[contract.name]);
  }
  const record: DeploymentRecord = {
    chainId: target.chainId,
    factory: CREATE2_FACTORY,
    salt: CREATE2_SALT,
    contracts: Object.fromEntries(Object.entries(contracts).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  const text = `${JSON.stringify(record, null, 2)}\n`;
  if (text === before?.text) return false;
  const write = async (handle: FileHandle): Promise<void> => {
    await handle.writeFile(text);
    await handle.sync();
  };
  await replaceFile(path, write, { field: "--folder", makesFolder: true });
  return true;
}

async function toRecorded(
  target: Target,
  contract: PlannedContract,
  bytecodeHash: string,
  earlier: RecordedContract | undefined,
): Promise<RecordedContract> {
  const { artifact, source, address, creator, argumentTexts } = contract;
  const { solcLongVersion, input } = readBuildInfo(artifact);
  const { evmVersion, viaIR = false, optimizer } = input.settings;
  const isSame = earlier?.address === address && earlier.bytecodeHash === bytecodeHash;
  return {
    contract: `contracts/${source}.sol:${artifact.contractName}`,
    address,
    creator,
    block: await findCreationBlock(target, address, isSame ? earlier.block : null),
    arguments: { ...argumentTexts },
    bytecodeHash,
    compiler: {
      version: solcLongVersion,
      evmVersion,
      viaIR,
      optimizerRuns: optimizer.enabled ? optimizer.runs : null,
    },
  };
}
