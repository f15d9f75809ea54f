import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { startProgram } from "../support/programs.ts";

/** Script and its default output. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  composeCalls: /txs\[2\] 0x\w{40}\.execute\([\s\S]*0 errors/u,
  requestQuote: /pays +1 ETH[\s\S]*deposit \(verification: bound\)/u,
  replayFill: /TRANSFER_AMOUNT_EXCEEDS_BALANCE[\s\S]*works from +0\.001 USDC/u,
  deploy: /PushExecutor +0x\w{40} +deployed/u,
};

describe("the programs in scripts/", () => {
  for (const [name, expected] of Object.entries(SCRIPTS)) {
    const path = `scripts/${name}.ts`;

    it(`${name} works on a local network, and is not longer than allowed`, async () => {
      const folder = await mkdtemp(join(tmpdir(), "crosscall-scripts-"));
      try {
        const args = name === "deploy" ? ["--folder", folder] : [];
        const { exitCode, stdout, stderr } = await startProgram(path, args).finished;
        expect(exitCode, stderr).to.equal(0);
        expect(stdout).to.match(expected);
      } finally {
        await rm(folder, { recursive: true });
      }
      expect((await readFile(path, "utf8")).split("\n").length).to.be.at.most(80);
    });

    it(`${name} describes its options`, async () => {
      const { exitCode, stdout } = await startProgram(path, ["--help"]).finished;
      expect(exitCode).to.equal(0);
      expect(stdout).to.match(new RegExp(`^node ${path} \\[options\\]`, "u"));
    });
  }
});
