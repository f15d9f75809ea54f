import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { SCENARIOS } from "../../src/scenarios/catalogue.ts";
import { startProgram } from "../support/programs.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (): Promise<string> => readFile(new URL("docs/scenarios.md", ROOT), "utf8");

describe("the page of the scenarios", () => {
  it("lists exactly the existing scenarios", async () => {
    const rows = [...(await read()).matchAll(/^\| `([\w:-]+)` *\| (chain|simulated) *\| (.*?) *\| (.*?) *\|$/gmu)];
    expect(rows.map(([, name, how, what, hint]) => ({ name, how, what, hint }))).to.deep.equal(
      SCENARIOS.map(({ name, how, what, hint }) => ({ name, how, what, hint })),
    );
  });

  it("lists exactly their parameters", async () => {
    const rows = [...(await read()).matchAll(/^\| `([\w:…-]+)` *\| `(\w+)` *\| (.*?) *\|$/gmu)];
    const known = SCENARIOS.filter(({ family, name }) => family === "behavior" || name === "http:429").flatMap(
      ({ family, name, parameters }) =>
        parameters.map((parameter) => [family === "answer" ? "http:…" : name, parameter.name, parameter.meaning]),
    );
    expect(rows.map(([, name, parameter, meaning]) => [name, parameter, meaning])).to.deep.equal(known);
  });

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
