import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { readJson } from "../../../../packages/crosscall/src/options/readJson.ts";
import { isTooDeep } from "../../../../packages/crosscall/src/localnet/jsonDepth.ts";
import { failureOf } from "../../../integration/support/failureOf.ts";

describe("readJson", () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), "crosscall-json-"))));
  after(() => rm(folder, { recursive: true }));

  const write = async (content: string | Buffer): Promise<string> => {
    const path = join(folder, "input.json");
    await writeFile(path, content);
    return path;
  };
  const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

  it("reads a file up to the size limit, and rejects a larger file", async () => {
    const path = await write('["0123456789"]');
    expect(await readJson(path, "file", { maxBytes: 14 })).to.deep.equal(["0123456789"]);
    expect(await failureOf(readJson(path, "file", { maxBytes: 13 }))).to.include({
      code: "INVALID_INPUT",
      field: "file",
      value: JSON.stringify(path),
      reason: "the file is larger than 13 bytes",
    });
  });

  it("reads files with a byte order mark, as PowerShell writes them", async () => {
    const text = `\uFEFF{"name":"é"}`;
    expect(await readJson(await write(text), "file")).to.deep.equal({ name: "é" });
    expect(await readJson(await write(Buffer.from(text, "utf16le")), "file")).to.deep.equal({ name: "é" });
  });

  it("stops at the limit for an endless file", async () => {
    const error = await failureOf(readJson("/dev/zero", "file", { maxBytes: 100_000 }));
    expect(error).to.include({ code: "INVALID_INPUT", reason: "the file is larger than 100000 bytes" });
  });

  it("rejects values that are nested too deeply", async () => {
    expect(await readJson(await write(nested(128)), "file")).to.be.an("array");
    for (const depth of [129, 100_000]) {
      expect(await failureOf(readJson(await write(nested(depth)), "file"))).to.include({
        code: "INVALID_INPUT",
        field: "file",
        reason: "its values are nested deeper than 128 levels",
      });
    }
  });

  it("ignores brackets in strings", () => {
    const text = JSON.stringify({ [`"[${"[".repeat(200)}`]: `\\"${"{".repeat(200)}` });
    expect([isTooDeep(text), isTooDeep(`${text.slice(0, -1)},"a":${nested(128)}}`)]).to.deep.equal([false, true]);
    expect(isTooDeep(`"${"a".repeat(10_000_000)}`)).to.equal(false);
    expect(isTooDeep(`[[]${",[]".repeat(1_000)}]`, 2)).to.equal(false);
  });
});
