import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { loadCompiler } from "../../../../../packages/crosscall/src/commands/migrate/scan/compiler.ts";
import { rejected } from "../../../../support/rejection.ts";

describe("loadCompiler", () => {
  let folder: string;

  before(async () => (folder = await mkdtemp(join(tmpdir(), "crosscall-compiler-"))));
  after(() => rm(folder, { recursive: true, force: true }));

  /** Creates a file in a project, with or without a TypeScript package that contains these files. */
  async function projectWith(name: string, files?: Readonly<Record<string, string>>): Promise<string> {
    const installed = join(folder, name, "node_modules/typescript");
    await mkdir(files === undefined ? join(folder, name) : installed, { recursive: true });
    for (const [file, text] of Object.entries(files ?? {})) await writeFile(join(installed, file), text);
    return join(folder, name, "package.json");
  }

  const project6 = (): Promise<string> =>
    projectWith("six", { "package.json": "{}", "index.js": 'exports.createProgram = () => "of the project";' });
  const project7 = (): Promise<string> =>
    projectWith("seven", {
      "package.json": '{ "type": "module", "exports": { ".": "./version.cjs" } }',
      "version.cjs": 'exports.version = "7.0.0";',
    });

  it("prefers the project's TypeScript to crosscall's", async () => {
    const compiler = await loadCompiler([await project6(), import.meta.url]);
    expect((compiler.createProgram as () => unknown)()).to.equal("of the project");
  });

  it("uses crosscall's TypeScript if the project has none, or has version 7", async () => {
    for (const project of [await projectWith("none"), await project7()]) {
      const compiler = await loadCompiler([project, import.meta.url]);
      expect(compiler.isCallExpression).to.be.a("function");
    }
  });

  it("rejects a version without the API, and a missing installation, each with a hint", async () => {
    const native = await rejected(loadCompiler([await project7(), await projectWith("none")]));
    const missing = await rejected(loadCompiler([await projectWith("none")]));
    const unexported = await projectWith("other", { "package.json": '{ "exports": { "./x": "./x.js" } }' });
    const other = await rejected(loadCompiler([unexported]));
    expect([native.code, missing.code, other.code]).to.deep.equal(["INVALID_STATE", "INVALID_STATE", "INVALID_STATE"]);
    expect(other.hint).to.equal(native.hint);
    expect(native.hint).to.not.equal(missing.hint);
    for (const { hint } of [native, missing]) expect(hint).to.include("npm install --save-dev typescript@6");
  });
});
