import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for the tests of a suite, created before them and removed after them. */
export function useFolder(): string {
  const folder = join(tmpdir(), `crosscall-test-${randomUUID()}`);
  before(() => mkdir(folder));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
