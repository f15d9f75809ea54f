import { branchPoints } from "./branchPoints.ts";

export interface FileCoverage {
  readonly path: string;
  readonly lines: readonly { readonly line: number; readonly isHit: boolean }[];
  /** Two outcomes per condition, in the order of the source. */
  readonly branches: readonly BranchCoverage[];
}

export interface BranchCoverage {
  readonly line: number;
  readonly condition: string;
  readonly outcome: boolean;
  readonly isHit: boolean;
}

export function readCoverage(
  lcov: string,
  records: ReadonlySet<string>,
  readSource: (path: string) => string,
): readonly FileCoverage[] {
  return lcov
    .split("end_of_record")
    .flatMap((section) => {
      const path = /^SF:(.+)$/m.exec(section)?.[1];
      return path === undefined ? [] : [{ path, section }];
    })
    .map(({ path, section }) => ({
      path,
      lines: [...section.matchAll(/^DA:(\d+),(\d+)$/gm)].map(([, line, hits]) => ({
        line: Number(line),
        isHit: hits !== "0",
      })),
      branches: branchPoints(`project/${path}`, readSource(path)).flatMap(
        ({ line, text: condition, whenTrue, whenFalse }) => [
          { line, condition, outcome: true, isHit: records.has(whenTrue) },
          { line, condition, outcome: false, isHit: records.has(whenFalse) },
        ],
      ),
    }))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** With branches, which Hardhat's file does not have. */
export function writeLcov(files: readonly FileCoverage[]): string {
  return files
    .flatMap(({ path, lines, branches }) => [
      `TN:\nSF:${path}`,
      ...branches.map(
        ({ line, isHit }, index) => `BRDA:${line},${Math.floor(index / 2)},${index % 2},${isHit ? "1" : "-"}`,
      ),
      `BRF:${branches.length}\nBRH:${branches.filter(({ isHit }) => isHit).length}`,
      ...lines.map(({ line, isHit }) => `DA:${line},${isHit ? 1 : 0}`),
      `LF:${lines.length}\nLH:${lines.filter(({ isHit }) => isHit).length}\nend_of_record\n`,
    ])
    .join("\n");
}
