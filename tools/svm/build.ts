// Compiles the Solana programs of the local network: `npm run build:svm`. Requires clang 14, whose BPF target is part of
// Debian's package. The output depends on this version, so tests compare it only where this version is installed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { linkProgram } from "./linkProgram.ts";

export const COMPILER = "clang-14";

const FLAGS = ["-target", "bpf", "-mcpu=v2", "-Os", "-ffreestanding", "-fno-builtin", "-fno-jump-tables"] as const;

/** Names of the programs, as of their sources. */
export const PROGRAMS = ["depository", "exchange", "assertions"] as const;

const OUTPUT = new URL("../../packages/crosscall/src/localnet/ledgers/solana/programs.generated.ts", import.meta.url);

/** @returns the program as the chain loads it */
export function buildProgram(name: (typeof PROGRAMS)[number]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "crosscall-svm-"));
  try {
    const object = join(folder, `${name}.o`);
    const source = new URL(`${name}.c`, import.meta.url).pathname;
    execFileSync(COMPILER, [...FLAGS, "-Wall", "-Wextra", "-Werror", "-c", source, "-o", object]);
    return linkProgram(readFileSync(object), "entrypoint");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const texts = PROGRAMS.map((name) => {
    const program = buildProgram(name);
    return `/** SHA-256 of the program ${name}. */
export const ${name.toUpperCase()}_SHA256 = "${createHash("sha256").update(program).digest("hex")}";

/** The program ${name}, compressed with gzip, in base64. */
export const ${name.toUpperCase()}_GZIP =
  "${gzipSync(program, { level: 9 }).toString("base64")}";
`;
  });
  writeFileSync(OUTPUT, `// Written by \`npm run build:svm\`. Do not edit.\n${texts.join("\n")}`);
}
