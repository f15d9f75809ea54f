import { createHash, timingSafeEqual } from "node:crypto";

/** Takes the same time for every wrong key, also for one of another length. */
export function isSameKey(given: string, key: string): boolean {
  return timingSafeEqual(digest(given), digest(key));
}

function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
