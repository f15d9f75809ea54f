import { createHash } from "node:crypto";

/** Apart from the queries of keys, because commands that need it must load no database. */
export function hashApiKey(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex");
}
