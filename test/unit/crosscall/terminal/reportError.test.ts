import { mock } from "node:test";

import { expect } from "chai";

import { BesideDataError, reportError } from "../../../../packages/crosscall/src/terminal/reportError.ts";
import { AbortedError, InvalidStateError, StageFailedError } from "../../../../packages/protocol/src/core/errors.ts";

const failure = new InvalidStateError({ message: "what happened", hint: "What to do." });
const PAGE = "@crosscall/protocol/errors/INVALID_STATE.md";

/** Returns the output that a report writes to both streams. */
function write(thrown: unknown, json = false): { stopped: boolean; stdout: string; stderr: string } {
  const written = { stdout: "", stderr: "" };
  const mocks = (["stdout", "stderr"] as const).map((stream) =>
    mock.method(process[stream], "write", (text: string) => {
      written[stream] += text;
      return true;
    }),
  );
  try {
    return { stopped: reportError(thrown, { json }), ...written };
  } finally {
    for (const mocked of mocks) mocked.mock.restore();
  }
}

const lastLine = (text: string): string | undefined => text.trimEnd().split("\n").at(-1);

describe("the report of a failed command", () => {
  it("ends with the URL of the error's page", () => {
    const { stopped, stdout, stderr } = write(failure);
    expect([stopped, stdout, lastLine(stderr)]).to.deep.equal([false, "", "More: crosscall explain INVALID_STATE"]);
  });

  it("ends with the URL of the page for the error that made a stage fail", () => {
    const { stderr } = write(new StageFailedError({ stage: "Start", cause: failure }));
    expect(lastLine(stderr)).to.equal("More: crosscall explain INVALID_STATE");
  });

  it("ends with the URL of the page about stages if the error is not one of crosscall's", () => {
    const { stderr } = write(new StageFailedError({ stage: "Start", cause: new Error("foreign") }));
    expect(lastLine(stderr)).to.equal("More: crosscall explain STAGE_FAILED");
  });

  it("contains no URL for an unknown error", () => {
    expect(write(new Error("foreign")).stderr).not.to.include("docs:");
  });

  it("contains the URL of each error's page in JSON", () => {
    const { stdout, stderr } = write(new StageFailedError({ stage: "Start", cause: failure }), true);
    expect([JSON.parse(stdout), stderr]).to.deep.equal([
      {
        ok: false,
        error: {
          code: "STAGE_FAILED",
          message: "Start: what happened",
          hint: "What to do.",
          stage: "Start",
          docs: "@crosscall/protocol/errors/STAGE_FAILED.md",
          cause: { code: "INVALID_STATE", message: "what happened", hint: "What to do.", docs: PAGE },
        },
      },
      "",
    ]);
  });

  it("is written to standard error if standard output contains data", () => {
    const { stdout, stderr } = write(new BesideDataError(failure), true);
    expect([stdout, JSON.parse(stderr)]).to.deep.equal(["", { ok: false, error: { ...failure.toJSON(), docs: PAGE } }]);
  });

  it("is a single line if the user stopped the command", () => {
    const { stopped, stderr } = write(new AbortedError({ what: "it" }));
    expect([stopped, stderr]).to.deep.equal([true, "Stopped.\n"]);
  });
});
