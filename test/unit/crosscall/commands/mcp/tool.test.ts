import { expect } from "chai";
import * as Type from "typebox";

import { InvalidInputError, StageFailedError } from "../../../../../packages/protocol/src/core/errors.ts";
import {
  commandOf,
  defineTool,
  toErrorResult,
  toResult,
} from "../../../../../packages/crosscall/src/commands/mcp/tool.ts";

const { signal } = new AbortController();

describe("a tool of crosscall mcp", () => {
  it("rejects unknown and malformed arguments before it runs", async () => {
    const tool = defineTool({
      name: "count",
      description: "Counts.",
      input: { limit: Type.Integer() },
      run: ({ limit }) => ({ ok: true, facts: { limit }, command: "crosscall" }),
    });
    expect(await tool.call({ limit: 2 }, signal)).to.deep.include({ facts: { limit: 2 } });
    for (const [input, field] of [
      [{ limit: 2, limits: 3 }, "limits"],
      [{ limit: "2" }, "limit"],
      [{}, "limit"],
    ] as const) {
      const error = await tool.call(input, signal).catch((thrown: unknown) => thrown);
      expect(error).to.deep.include({ code: "INVALID_INPUT", field, hint: "The tool count takes limit." });
    }
  });

  it("returns amounts as decimal strings, cuts long summaries, and escapes foreign text", () => {
    const facts = { amount: 10n ** 30n, symbol: "US\u001B[31mDC" };
    const summary = `first\n${"x".repeat(10_000)}`;
    const { structuredContent } = toResult({ ok: false, summary, facts, command: "crosscall check" });
    expect(structuredContent).to.deep.include({
      ok: false,
      amount: "1000000000000000000000000000000",
      symbol: "US\\u001b[31mDC",
      command: "crosscall check",
    });
    expect(structuredContent.summary).to.match(/^first\nx+\n… 4006 more characters: run the command\.$/u);
  });

  it("returns the error of a failed stage, and the message of any other error", () => {
    const cause = new InvalidInputError({ field: "amount", value: "x", reason: "it is no amount", hint: "Pass one." });
    const { isError, structuredContent } = toErrorResult(new StageFailedError({ stage: "Quote", cause }));
    expect(isError).to.equal(true);
    expect(structuredContent.error).to.deep.include({
      code: "INVALID_INPUT",
      field: "amount",
      hint: "Pass one.",
      explain: "crosscall explain INVALID_INPUT",
    });
    expect(toErrorResult(new TypeError("a bug")).structuredContent.error).to.deep.equal({ message: "a bug" });
  });

  it("quotes words of a command that a shell would change", () => {
    expect(commandOf("check", "my plan.json", undefined, "--rpc-url", "10=http://a/b")).to.equal(
      "crosscall check 'my plan.json' --rpc-url 10=http://a/b",
    );
    // A shell would read from, and write to, files of these names.
    expect(commandOf("check", "a>b.json", "--rpc-url", "10=<url>")).to.equal(
      "crosscall check 'a>b.json' --rpc-url '10=<url>'",
    );
    expect(commandOf("explain", "$(rm x)'")).to.equal(`crosscall explain '$(rm x)'\\'''`);
  });
});
