import { createHash } from "node:crypto";

/** What is kept of an API key, and what a request remembers of the one it was quoted with: enough to find it again. */
export function hashApiKey(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex");
}
