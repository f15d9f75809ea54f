import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { runCommand } from "../../../packages/create-crosscall/src/runCommand.ts";

describe("create-crosscall in a terminal", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-create-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("stops on Ctrl-C at every prompt, and leaves no files", async () => {
    for (const args of [[], ["shop"], ["--template", "app"], ["shop", "--template", "app"]]) {
      const errors: string[] = [];
      const code = await runCommand(args, {
        workingFolder: folder,
        nodeVersion: "24.0.0",
        userAgent: undefined,
        isTerminal: true,
        signal: AbortSignal.abort(),
        print: () => undefined,
        printError: (text) => errors.push(text),
      });
      expect([args, code, errors.length]).to.deep.equal([args, 130, 1]);
      expect(await readdir(folder)).to.deep.equal([]);
    }
  });
});
