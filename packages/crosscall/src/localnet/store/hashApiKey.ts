import { createHash } from "node:crypto";

/** Hashes an API key. This is a separate file, because commands that use it must not load the database. */
export function hashApiKey(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex");
}
