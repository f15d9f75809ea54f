// Compiles the Solana programs of the local network: `npm run build:svm`. Requires clang 14, whose BPF target is part of
// Debian's package. The output depends on this version, so a test compares it only where this version is installed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { linkProgram } from "./linkProgram.ts";

export const COMPILER = "clang-14";

const FLAGS = ["-target", "bpf", "-mcpu=v2", "-Os", "-ffreestanding", "-fno-builtin", "-fno-jump-tables"] as const;

const SOURCE = new URL("depository.c", import.meta.url);
const OUTPUT = new URL(
  "../../packages/crosscall/src/localnet/ledgers/solana/depositoryProgram.generated.ts",
  import.meta.url,
);

/** @returns the program as the chain loads it */
export function buildDepository(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "crosscall-svm-"));
  try {
    const object = join(folder, "depository.o");
    execFileSync(COMPILER, [...FLAGS, "-Wall", "-Wextra", "-Werror", "-c", SOURCE.pathname, "-o", object]);
    return linkProgram(readFileSync(object), "entrypoint");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const program = buildDepository();
  const text = `// Written by \`npm run build:svm\`. Do not edit.
/** SHA-256 of the program. */
export const DEPOSITORY_SHA256 = "${createHash("sha256").update(program).digest("hex")}";

/** The program, compressed with gzip, in base64. */
export const DEPOSITORY_GZIP =
  "${gzipSync(program, { level: 9 }).toString("base64")}";
`;
  writeFileSync(OUTPUT, text);
}
