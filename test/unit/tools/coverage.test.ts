import { expect } from "chai";

import { branchPoints, readCoverage, recordBranches } from "../../../tools/coverage/branches.ts";

const NAME = "project/contracts/Some.sol";

function source(...body: readonly string[]): string {
  return `contract Some {\n  function run(uint256 a, bool b) external pure returns (uint256) {\n${body.join("\n")}\n  }\n}\n`;
}

function conditions(...body: readonly string[]): readonly string[] {
  return branchPoints(NAME, source(...body)).map(({ text, line }) => `${line}: ${text}`);
}

describe("branchPoints", () => {
  it("finds the conditions of if, ?: and loops", () => {
    expect(
      conditions(
        "if (a == 1) return 1;",
        "a = b ? 2 : 3;",
        "for (uint256 i = 0; i < a; ++i) a += i;",
        "while (a > 4) a /= 2;",
        "do { a += 1; } while (a < 5);",
        "for (;;) return a;",
      ),
    ).to.deep.equal(["3: a == 1", "4: b", "5: i < a", "6: a > 4", "7: a < 5"]);
  });

  it("splits a condition at && and ||, through parentheses, even outside decisions", () => {
    expect(conditions("if ((a == 1 || a == 2) && !b) return 1;", "b = a > 3 || b;")).to.deep.equal([
      "3: a == 1",
      "3: a == 2",
      "3: !b",
      "4: a > 3",
      "4: b",
    ]);
  });

  it("finds conditions that start at the same position, the outer condition first", () => {
    expect(conditions("if (b ? a > 1 : a > 2) return 1;")).to.deep.equal(["3: b ? a > 1 : a > 2", "3: b"]);
  });

  it("counts positions in bytes", () => {
    const [point] = branchPoints(NAME, source("/* ä€ */ if (b) return 1;"));
    expect(point?.text).to.equal("b");
  });

  it("keeps the records of a source with added statements, and gives each outcome in each file a different value", () => {
    const records = (name: string, ...body: readonly string[]) =>
      branchPoints(name, source(...body)).flatMap(({ whenTrue, whenFalse }) => [whenTrue, whenFalse]);
    const plain = records(NAME, "if (b) return 1;", "if (a > 1) return 2;");
    expect(records(NAME, "a += 1;", "if (b) { a += 2; return 1; }", "if (a > 1) return 2;")).to.deep.equal(plain);
    expect(new Set([...plain, ...records("project/contracts/Other.sol", "if (b) return 1;")]).size).to.equal(6);
  });

  it("rejects text that is not Solidity", () => {
    expect(() => branchPoints(NAME, "contract {")).to.throw(Error);
  });
});

/** Returns the instrumented source, with names in place of the records. */
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
  it("joins the tool's lines with the recorded branches for each file", () => {
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
});
