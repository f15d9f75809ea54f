import { expect } from "chai";

import { branchPoints } from "../../../tools/coverage/branchPoints.ts";
import { recordBranches } from "../../../tools/coverage/recordBranches.ts";

const NAME = "project/contracts/Some.sol";

/** The written source with the names of the records instead of the records. */
function written(text: string): string {
  return branchPoints(NAME, text).reduce(
    (result, { whenTrue, whenFalse }, index) =>
      result.replace(`0x${whenTrue}`, `true${index}`).replace(`0x${whenFalse}`, `false${index}`),
    recordBranches(NAME, text),
  );
}

describe("recordBranches", () => {
  it("passes each condition through the recorder, from the inside out, and keeps line numbers", () => {
    expect(
      written(
        "function f(bool a, bool b) pure returns (uint256) {\n  if (a ? b : !b) return 1;\n  return 2; // ä\n}\n",
      ),
    ).to.equal(
      "function f(bool a, bool b) pure returns (uint256) {\n" +
        "  if (__CrosscallBranches.take(__CrosscallBranches.take(a, true1, false1) ? b : !b, true0, false0)) return 1;\n" +
        '  return 2; // ä\n}\n\nimport "__CrosscallBranches.sol";\n',
    );
  });

  it("leaves a source without conditions unchanged", () => {
    expect(recordBranches(NAME, "contract Some {}")).to.equal("contract Some {}");
  });
});
