import { mkdir, readFile, rm, writeFile } from "node:fs/promises";

import { expect } from "chai";

import { runModule } from "../support/programs.ts";

const ROOT = new URL("../../", import.meta.url);

describe("the README", () => {
  // Folder inside the checkout, so that imports of the package resolve to the checkout.
  const folder = new URL(".crosscall/readme-test/", ROOT);

  before(() => mkdir(folder, { recursive: true }));
  after(() => rm(folder, { recursive: true, force: true }));

  it("contains a program that runs", async () => {
    const text = await readFile(new URL("README.md", ROOT), "utf8");
    const programs = [...text.matchAll(/^```ts\n(.*?)^```$/gmsu)];
    expect(programs).to.have.length(1);
    const file = new URL("readme.ts", folder);
    await writeFile(file, programs[0]?.[1] ?? "");
    const { exitCode, stdout, stderr } = await runModule(file);
    expect({ exitCode, stdout, stderr }).to.include({ exitCode: 0, stdout: "success\n" });
  });
});
