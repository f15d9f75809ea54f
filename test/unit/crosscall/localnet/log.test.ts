import { expect } from "chai";

import { createLog } from "../../../../packages/crosscall/src/localnet/log.ts";
import { createOracleLog } from "../../../../packages/oracle/src/log.ts";

describe("createLog", () => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  beforeEach(() => lines.splice(0));

  it("logs an error with its message and its causes", () => {
    const error = new Error("outside", { cause: new Error("inside") });
    createLog("error", destination).error({ error }, "it failed");
    expect(lines[0]).to.have.property("msg", "it failed");
    expect(lines[0]).to.have.nested.property("error.message", "outside");
    expect(lines[0]).to.have.nested.property("error.cause.message", "inside");
  });

  it("never logs an API key", () => {
    createLog("info", destination).info({ apiKey: "secret", req: { headers: { "x-api-key": "secret" } } }, "a call");
    expect(JSON.stringify(lines)).to.not.include("secret");
    expect(lines).to.have.length(1);
  });

  it("escapes terminal control characters", () => {
    const texts: string[] = [];
    for (const log of [createLog, createOracleLog]) {
      log("info", { write: (line) => void texts.push(line) }).info({ name: "a\u009B2J\u202E" }, "b\u2066\u007F");
    }
    expect(texts).to.have.length(2);
    for (const text of texts) {
      expect(text).to.match(/^[ -~]+\n$/u);
      expect(JSON.parse(text)).to.include({ name: "a\u009B2J\u202E", msg: "b\u2066\u007F" });
    }
  });

  it("logs nothing below its level", () => {
    createLog("warn", destination).info("quiet");
    createLog("silent", destination).error("quiet");
    expect(lines).to.deep.equal([]);
  });
});
