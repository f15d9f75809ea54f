import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { startProgram } from "../support/programs.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (): Promise<string> => readFile(new URL("docs/scenarios.md", ROOT), "utf8");

describe("the scenarios page", () => {
  it("shows a test that passes", async () => {
    const [, program = ""] = /^```typescript\n(.*?)^```$/msu.exec(await read()) ?? [];
    const folder = new URL(".crosscall/scenarios-page/", ROOT);
    await mkdir(folder, { recursive: true });
    try {
      const file = new URL("checkout.test.ts", folder);
      await writeFile(file, program);
      const mocha = "node_modules/mocha/bin/mocha.js";
      const options = ["--no-config", "--timeout", "600000", "--reporter", "json", fileURLToPath(file)];
      const { stdout } = await startProgram(mocha, options).finished;
      const { stats } = JSON.parse(stdout) as { stats: { passes: number; failures: number } };
      expect(stats).to.include({ passes: 3, failures: 0 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
