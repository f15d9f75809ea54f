import { PassThrough } from "node:stream";

import { expect } from "chai";

import { confirm } from "../../../../packages/crosscall/src/terminal/confirm.ts";
import { CrosscallError } from "../../../../packages/protocol/src/core/errors.ts";

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "none",
    (error: unknown) => (error instanceof CrosscallError ? error.code : error),
  );
const open = (isTTY: boolean) => ({
  stdin: Object.assign(new PassThrough(), { isTTY }),
  stderr: Object.assign(new PassThrough(), { isTTY }),
});

describe("confirm", () => {
  for (const [name, typed, code] of [
    ["continues after yes", "Yes\n", "none"],
    ["stops after no", "n\n", "ABORTED"],
    ["stops if the answer is empty", "\n", "ABORTED"],
    ["stops at Ctrl-D", "\u0004", "ABORTED"],
  ] as const) {
    it(name, async () => {
      const terminal = open(true);
      terminal.stdin.write(typed);
      expect(await codeOf(confirm("Send it?", "the payment", new AbortController().signal, terminal))).to.equal(code);
    });
  }

  it("stops if the terminal closes", async () => {
    const terminal = open(true);
    terminal.stdin.end();
    expect(await codeOf(confirm("Send it?", "the payment", new AbortController().signal, terminal))).to.equal(
      "ABORTED",
    );
  });

  it("stops if the signal aborts", async () => {
    const terminal = open(true);
    const controller = new AbortController();
    const confirmed = codeOf(confirm("Send it?", "the payment", controller.signal, terminal));
    controller.abort();
    expect(await confirmed).to.equal("ABORTED");
  });

  it("escapes control characters in the question", async () => {
    const terminal = open(true);
    terminal.stdin.write("y\n");
    await confirm("Pay 1 A\u009B2J\u202E?", "the payment", new AbortController().signal, terminal);
    const shown = String(terminal.stderr.read());
    expect([shown.includes("Pay 1 A\\u009b2J\\u202e? [y/N]"), /[\u009B\u202E]/u.test(shown)]).to.deep.equal([
      true,
      false,
    ]);
  });

  it("does not prompt without a terminal", async () => {
    expect(await codeOf(confirm("Send it?", "the payment", new AbortController().signal, open(false)))).to.equal(
      "INVALID_INPUT",
    );
  });
});
