import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { expect } from "chai";
import * as Type from "typebox";

import { parseData } from "../../../../packages/protocol/src/schema/parse.ts";
import { nullable } from "../../../../packages/protocol/src/schema/schemaParts.ts";
import { malformed } from "../everyField.ts";

const Schema = Type.Object({
  steps: Type.Array(Type.Object({ items: Type.Array(Type.Object({ data: Type.Object({ to: Type.String() }) })) })),
  note: Type.Optional(nullable(Type.String())),
  rates: Type.Optional(Type.Record(Type.String(), Type.Number())),
});

describe("parseData", () => {
  it("returns the value itself, including fields that the schema does not list", () => {
    const value = { steps: [{ items: [{ data: { to: "0x", more: 1 } }], more: 2 }], more: 3 };
    expect(parseData(Schema, value, "it")).to.equal(value);
    expect(value).to.deep.equal({ steps: [{ items: [{ data: { to: "0x", more: 1 } }], more: 2 }], more: 3 });
  });

  const good = { items: [{ data: { to: "0x" } }] };
  const cases: [string, unknown, string][] = [
    [
      "a wrong type",
      { steps: [{ items: [{ data: { to: "0x" } }, { data: { to: 5 } }] }] },
      "steps[0].items[1].data.to",
    ],
    ["a missing field", { steps: [good, { items: [{ data: {} }] }] }, "steps[1].items[0].data.to"],
    ["a missing first field", {}, "steps"],
    ["a wrong element", { steps: [good, null] }, "steps[1]"],
    ["a null-or-string field", { steps: [], note: 5 }, "note"],
    ["a numeric name of an object", { steps: [], rates: { 0: "x" } }, 'rates["0"]'],
    ["a name that is not an identifier", { steps: [], rates: { "a/b~c": "x" } }, 'rates["a/b~c"]'],
    ["the whole", 5, ""],
  ];
  for (const [name, value, path] of cases) {
    it(`reports the path of ${name}`, () => {
      const error = malformed(() => parseData(Schema, value, "the answer"));
      expect([error.code, error.what, error.path]).to.deep.equal(["MALFORMED_DATA", "the answer", path]);
    });
  }

  it("adds the prefix to the path", () => {
    const at = "steps[0].items[1].data";
    expect(malformed(() => parseData(Type.Object({ to: Type.String() }), {}, "it", at)).path).to.equal(`${at}.to`);
    expect(malformed(() => parseData(Type.Array(Type.String()), [1], "it", at)).path).to.equal(`${at}[0]`);
    expect(malformed(() => parseData(Type.String(), 1, "it", at)).path).to.equal(at);
  });

  it("works without code evaluation", () => {
    const [entry, status] = ["index.ts", "request/intentStatus.ts"].map((path) =>
      JSON.stringify(fileURLToPath(new URL(`../../../../packages/protocol/src/${path}`, import.meta.url))),
    );
    const program = `
      import { parseData } from ${entry};
      import { IntentStatusSchema } from ${status};
      parseData(IntentStatusSchema, { status: "pending", details: null }, "it");
      try { parseData(IntentStatusSchema, { status: 1 }, "it"); } catch (error) { console.log(error.path); }
      try { new Function(""); } catch { console.log("forbidden"); }`;
    const flags = ["--disallow-code-generation-from-strings", "--input-type=module"];
    const output = execFileSync(process.execPath, flags, { input: program, encoding: "utf8" });
    expect(output).to.equal("status\nforbidden\n");
  });
});
