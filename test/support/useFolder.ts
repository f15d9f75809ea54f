import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder before the tests of a suite, and removes it after them. */
export function useFolder(): string {
  const folder = join(tmpdir(), `crosscall-test-${randomUUID()}`);
  before(() => mkdir(folder));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
