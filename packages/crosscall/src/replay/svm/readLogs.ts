/** A call that the logs show. */
export interface LoggedCall {
  readonly program: string;
  /** 1 for an instruction of the transaction. */
  readonly depth: number;
  /** Lines of the program itself, without those of the programs that it calls. */
  readonly lines: readonly string[];
  readonly computeUnits: number | undefined;
  readonly error: string | undefined;
}

export interface ReadLogs {
  /** In the order of their start. */
  readonly calls: readonly LoggedCall[];
  /** The call that failed first. The calls that contain it fail with the same error. */
  readonly failed: LoggedCall | undefined;
}

interface OpenCall extends LoggedCall {
  lines: string[];
  computeUnits: number | undefined;
  error: string | undefined;
}

const INVOKED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[(\d{1,3})\]$/u;
const CONSUMED = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} consumed (\d{1,12}) of \d{1,12} compute units$/u;
const ENDED = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} (?:success|failed: (.*))$/su;

/** Reads the calls in a transaction's logs. Programs cannot forge the runtime's lines, whose texts start with `Program log: `. */
export function readLogs(logs: readonly string[]): ReadLogs {
  const calls: OpenCall[] = [];
  const open: OpenCall[] = [];
  let failed: OpenCall | undefined;
  for (const line of logs) {
    const [, program, depth] = INVOKED.exec(line) ?? [];
    const current = open.at(-1);
    if (program !== undefined) {
      const call = { program, depth: Number(depth), lines: [], computeUnits: undefined, error: undefined };
      calls.push(call);
      open.push(call);
      continue;
    }
    if (current === undefined) continue;
    const [, units] = CONSUMED.exec(line) ?? [];
    const ended = ENDED.exec(line);
    if (units !== undefined) {
      current.computeUnits = Number(units);
    } else if (ended !== null) {
      open.pop();
      const [, error] = ended;
      if (error === undefined) continue;
      current.error = error;
      failed ??= current;
    } else {
      current.lines.push(line);
    }
  }
  return { calls, failed };
}
