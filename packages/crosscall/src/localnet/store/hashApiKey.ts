import { createHash } from "node:crypto";

/** Separate from the queries of keys, because commands that use it must not load the database. */
export function hashApiKey(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex");
}
