import type { MigratedRequest } from "@crosscall/sdk/internal/protocol/v2/toV3";

export interface MalformedRecord {
  /** From 1; undefined if the input is one JSON value. */
  readonly line: number | undefined;
  /** JSON path from the line or the input. */
  readonly path: string;
  readonly message: string;
}

/** Counts of records by path, with `[]` for any index. */
export interface Summary {
  readonly records: number;
  readonly lost: Readonly<Record<string, number>>;
  readonly missing: Readonly<Record<string, number>>;
  readonly unknown: Readonly<Record<string, number>>;
  readonly malformed: readonly MalformedRecord[];
}

export class SummaryCounter {
  #records = 0;
  readonly #lost = new Map<string, number>();
  readonly #missing = new Map<string, number>();
  readonly #unknown = new Map<string, number>();
  readonly #malformed: MalformedRecord[] = [];

  count({ lost, missing, unknown }: MigratedRequest): void {
    this.#records += 1;
    countPaths(
      this.#lost,
      lost.map(({ path }) => path),
    );
    countPaths(this.#missing, missing);
    countPaths(
      this.#unknown,
      unknown.map(({ path }) => path),
    );
  }

  reject(malformed: MalformedRecord): void {
    this.#malformed.push(malformed);
  }

  get summary(): Summary {
    return {
      records: this.#records,
      lost: Object.fromEntries(this.#lost),
      missing: Object.fromEntries(this.#missing),
      unknown: Object.fromEntries(this.#unknown),
      malformed: this.#malformed,
    };
  }
}

export function toSummaryText({ records, lost, missing, unknown, malformed }: Summary): string {
  const lines = [
    `${records} records converted`,
    ...toSection("have no place in v3", lost),
    ...toSection("are required by v3 and not in v2", missing),
    ...toSection("are not known to v3, and kept", unknown),
    ...(malformed.length === 0 ? [] : [`${malformed.length} records are malformed, and not converted:`]),
    ...malformed.map(({ line, message }) => `  ${line === undefined ? "" : `line ${line}: `}${message}`),
  ];
  return `${lines.join("\n")}\n`;
}

function toSection(title: string, counts: Readonly<Record<string, number>>): string[] {
  const rows = Object.entries(counts).map(([path, count]) => `  ${String(count).padStart(6)}  ${path}`);
  return rows.length === 0 ? [] : [`values that ${title}, with the number of records:`, ...rows];
}

function countPaths(counts: Map<string, number>, paths: readonly string[]): void {
  for (const path of new Set(paths.map((one) => one.replaceAll(/\[\d+\]/gu, "[]")))) {
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
}
