import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";

import { InvalidInputError } from "../../../src/core/errors.ts";
import type { CampaignItem } from "../../../src/store/campaigns.ts";
import { readInput } from "../readInput.ts";
import { toSubject } from "./subject.ts";

const ENDINGS = [".json", ".ts", ".mts", ".js", ".mjs"];

/**
 * The plans and quotes of a folder, by name.
 *
 * @throws {@link InvalidInputError} when the folder has none, or one of them cannot be used
 */
export async function listFiles(folder: string, signal: AbortSignal): Promise<CampaignItem[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw refuse(folder, "the folder cannot be read", cause);
  });
  const files = names.filter((name) => ENDINGS.includes(extname(name))).toSorted();
  if (files.length === 0) throw refuse(folder, "no plan and no quote is in it");
  const items: CampaignItem[] = [];
  for (const name of files) {
    const what = join(folder, name);
    const input = await readInput({ what, client: undefined, mayBeTransaction: false, overrides: {}, signal });
    items.push({ id: name, subject: toSubject(input) });
  }
  return items;
}

/** What stays the same as long as the fills do. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}

function refuse(folder: string, reason: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError({
    field: "--plans",
    value: folder,
    reason,
    cure: "Give a folder with plan.json or quote.json files, or modules that export plan.",
    cause,
  });
}
