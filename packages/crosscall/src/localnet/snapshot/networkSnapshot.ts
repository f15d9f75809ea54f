import { open, rename, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import * as Type from "typebox";

import { InvalidInputError } from "@crosscall/protocol/core";
import { parseData, parseJson } from "@crosscall/protocol/schema";
import { HARDFORKS } from "../devchain/options.ts";
import { SavedTablesSchema } from "../store/savedTables.ts";
import { declaredSize, MAX_UNPACKED_BYTES, unpack } from "./unpack.ts";

const ChainSchema = Type.Object({
  id: Type.Integer(),
  hardfork: Type.Optional(Type.Enum([...HARDFORKS], { type: "string" })),
  forkUrl: Type.Optional(Type.String()),
  /** Replaces a `forkUrl` with credentials. Pass the URL again to start from the snapshot. */
  redactedForkUrl: Type.Optional(Type.String()),
  forkBlock: Type.Optional(Type.Integer()),
  depositConfirmations: Type.Optional(Type.Integer()),
  miningIntervalMs: Type.Optional(Type.Integer()),
  blockTimeMs: Type.Optional(Type.Integer()),
  gasPriceGwei: Type.Optional(Type.Number()),
  finality: Type.Optional(
    Type.Object({ blocks: Type.Optional(Type.Integer()), seconds: Type.Optional(Type.Integer()) }),
  ),
  latencyMs: Type.Integer(),
  blockBefore: Type.Integer(),
  firstBlock: Type.Integer(),
  node: Type.Object({
    genesisTime: Type.Integer(),
    changes: Type.Array(
      Type.Object({
        method: Type.String(),
        params: Type.Array(Type.Unknown()),
        timestamp: Type.Optional(Type.Integer()),
      }),
    ),
    checkpoints: Type.Array(Type.Object({ height: Type.Integer(), snapshotId: Type.String() })),
    height: Type.Integer(),
    head: Type.String(),
  }),
});

export const NetworkSnapshotSchema = Type.Object({
  format: Type.Literal("crosscall-snapshot-1"),
  clock: Type.Object({ now: Type.Integer(), offsetMs: Type.Integer() }),
  options: Type.Object({}, { additionalProperties: true }),
  chains: Type.Array(ChainSchema, { minItems: 2 }),
  database: SavedTablesSchema,
});

/**
 * State of a local network: its chains as the calls that recreate them, its database, its clock and its options. Plain
 * data, for `saveSnapshot`, or for `from` of `localnet`. It contains the network's API keys and the secret of its
 * database, but neither the admin key nor credentials in the URL of a forked chain.
 */
export type NetworkSnapshot = Type.Static<typeof NetworkSnapshotSchema>;

export type SavedChain = NetworkSnapshot["chains"][number];

/** Writes a snapshot to a file atomically. Equal snapshots produce equal bytes. */
export async function saveSnapshot(file: string, snapshot: NetworkSnapshot): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  const text = JSON.stringify(snapshot);
  if (Buffer.byteLength(text) > MAX_UNPACKED_BYTES) {
    throw unusable(
      file,
      `the snapshot is larger than ${MAX_UNPACKED_BYTES} bytes`,
      "Save a network with fewer requests, or copy it in the same process with fork().",
    );
  }
  try {
    await writeFile(partial, await promisify(gzip)(text), { mode: 0o600 });
    await rename(partial, file);
  } catch (cause) {
    await rm(partial, { force: true });
    throw unusable(file, "it cannot be written", "Check the folder and its permissions.", cause);
  }
}

/**
 * Reads a snapshot from a file.
 *
 * @throws {@link InvalidInputError} if the file is missing or not a snapshot
 */
export async function loadSnapshot(file: string): Promise<NetworkSnapshot> {
  let text: string;
  try {
    text = await readPacked(file);
  } catch (cause) {
    if (cause instanceof InvalidInputError) throw cause;
    throw unusable(file, "it is not a valid snapshot", LOAD_HINT, cause);
  }
  return parseData(NetworkSnapshotSchema, parseJson(text), `the snapshot ${file}`);
}

const LOAD_HINT = "Pass a file of `crosscall snapshot save`.";

async function readPacked(file: string): Promise<string> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(4), position: Math.max(0, size - 4) });
  return await unpack(handle.createReadStream({ start: 0 }), declaredSize(buffer.subarray(0, bytesRead)), (reason) =>
    unusable(file, reason, LOAD_HINT),
  );
}

function unusable(value: string, reason: string, hint: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError({ field: "file", value, reason, hint, cause });
}
