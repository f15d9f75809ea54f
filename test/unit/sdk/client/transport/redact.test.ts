import { inspect } from "node:util";

import { expect } from "chai";

import { createRedactor } from "../../../../../packages/sdk/src/client/transport/redact.ts";

const KEY = 'se/cr"et';
const SHOWN = "[api key]";

describe("a redactor", () => {
  const redactor = createRedactor([KEY, undefined, "other"]);

  it("removes secrets from strings, including their URL and JSON forms", () => {
    const text = `${KEY}, ${encodeURIComponent(KEY)}, ${JSON.stringify(KEY)}, other, ${KEY}`;
    expect(redactor.text(text)).to.equal(`${SHOWN}, ${SHOWN}, "${SHOWN}", ${SHOWN}, ${SHOWN}`);
  });

  it("removes secrets from the strings and keys of JSON, and keeps the rest", () => {
    const value = { [KEY]: [KEY, 1, null, { a: `<${KEY}>`, b: true }] };
    expect(redactor.json(value)).to.deep.equal({ [SHOWN]: [SHOWN, 1, null, { a: `<${SHOWN}>`, b: true }] });
  });

  it("hides data that is nested too deeply", () => {
    let value: unknown = KEY;
    for (let depth = 0; depth < 50_000; depth += 1) value = [value];
    expect(JSON.stringify(redactor.json(value))).not.to.include(KEY);
  });

  it("keeps a cause without secrets, and hides a cause with secrets, at any depth", () => {
    const harmless = new Error("no", { cause: { code: "ECONNREFUSED" } });
    expect(redactor.cause(harmless)).to.equal(harmless);
    for (const leaking of [
      new Error(KEY),
      new Error("no", { cause: { headers: { "x-api-key": KEY } } }),
      Object.assign(new Error("no"), { config: { headers: [["x-api-key", KEY]] } }),
      KEY,
    ]) {
      const shown = redactor.cause(leaking);
      expect(shown).to.be.instanceOf(Error);
      expect(inspect(shown, { depth: null })).not.to.include(KEY);
    }
    expect((redactor.cause(new Error(`a ${KEY}`)) as Error).message).to.equal(`a ${SHOWN}`);
  });

  it("changes nothing if there are no secrets", () => {
    const empty = createRedactor([undefined, ""]);
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect([empty.text(KEY), empty.cause(cyclic)]).to.deep.equal([KEY, cyclic]);
  });
});
