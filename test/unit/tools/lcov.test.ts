import { expect } from "chai";

import { branchPoints } from "../../../tools/coverage/branchPoints.ts";
import { readCoverage, writeLcov } from "../../../tools/coverage/lcov.ts";

const SOURCE = "function f(bool a) pure returns (uint256) {\n  if (a) return 1;\n  return 2;\n}\n";
const LCOV =
  "TN:\nSF:contracts/B.sol\nDA:2,1\nDA:3,0\nLH:1\nLF:2\nend_of_record\nSF:contracts/A.sol\nDA:1,1\nLH:1\nLF:1\nend_of_record\n";

function coverage() {
  const [point] = branchPoints("project/contracts/B.sol", SOURCE);
  return readCoverage(LCOV, new Set([point?.whenTrue ?? ""]), (path) =>
    path === "contracts/B.sol" ? SOURCE : "contract A {}",
  );
}

describe("coverage of lines and branches", () => {
  it("joins the tool's lines with the recorded branches, file by file", () => {
    expect(coverage()).to.deep.equal([
      { path: "contracts/A.sol", lines: [{ line: 1, isHit: true }], branches: [] },
      {
        path: "contracts/B.sol",
        lines: [
          { line: 2, isHit: true },
          { line: 3, isHit: false },
        ],
        branches: [
          { line: 2, condition: "a", outcome: true, isHit: true },
          { line: 2, condition: "a", outcome: false, isHit: false },
        ],
      },
    ]);
  });

  it("writes both", () => {
    expect(writeLcov(coverage()).split("\n")).to.include.members([
      "SF:contracts/B.sol",
      "BRDA:2,0,0,1",
      "BRDA:2,0,1,-",
      "BRF:2",
      "BRH:1",
      "DA:2,1",
      "DA:3,0",
      "LF:2",
      "LH:1",
    ]);
  });
});
