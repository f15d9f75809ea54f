import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";

import { AbortedError, InvalidInputError, StageFailedError } from "@crosscall/sdk/internal/core/errors";
import type { ReplayInput } from "../../../src/replay/subject/findFill.ts";
import { readInput, type ReadInputParameters, withOwnAmount } from "../readInput.ts";

const ENDINGS = [".json", ".ts", ".mts", ".js", ".mjs"];

export interface ListFilesParameters {
  readonly folder: string;
  /** Delivered amount of EXACT_INPUT plans, smallest unit; other plans state it. */
  readonly amount: bigint | undefined;
  readonly signal: AbortSignal;
}

export interface ListedFile {
  readonly name: string;
  readonly input: ReplayInput;
}

export async function listFiles({ folder, amount, signal }: ListFilesParameters): Promise<ListedFile[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw refuse(folder, "the folder cannot be read", cause);
  });
  const files = names.filter((name) => ENDINGS.includes(extname(name))).toSorted();
  if (files.length === 0) throw refuse(folder, "no plan and no quote is in it");
  const inputs: ListedFile[] = [];
  for (const name of files) {
    inputs.push({ name, input: await readFileInput({ what: join(folder, name), amount, signal }) });
  }
  return inputs;
}

async function readFileInput({
  what,
  amount,
  signal,
}: Omit<ListFilesParameters, "folder"> & Pick<ReadInputParameters, "what">): Promise<ReplayInput> {
  try {
    const terms = { what, client: undefined, mayBeTransaction: false, signal };
    return withOwnAmount(await readInput({ ...terms, overrides: amount === undefined ? {} : { amount } }));
  } catch (error) {
    throw error instanceof AbortedError ? error : new StageFailedError({ stage: what, cause: error });
  }
}

export function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}

function refuse(folder: string, reason: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError({
    field: "--plans",
    value: folder,
    reason,
    hint: "Pass a folder with plan.json or quote.json files, or modules that export plan.",
    cause,
  });
}
