import { resolve } from "node:path";

/** Arguments of the next run besides endpoints and keys. */
export interface ResumedRun {
  readonly file: string;
  readonly journal: string;
  readonly keyFile?: string | undefined;
  readonly maxAge?: number | undefined;
  readonly toleranceBps?: number | undefined;
  readonly timeout?: number | undefined;
}

/**
 * Without endpoints, whose URLs may contain keys.
 *
 * @param run with an absolute `journal`
 */
export function resumeCommand({ file, journal, keyFile, maxAge, toleranceBps, timeout }: ResumedRun): string {
  const options: [name: string, value: string | number | undefined][] = [
    ["--journal", journal],
    ["--key-file", keyFile === undefined ? undefined : resolve(keyFile)],
    ["--max-age", maxAge],
    ["--tolerance-bps", toleranceBps],
    ["--timeout", timeout],
  ];
  const given = options.flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]));
  return ["crosscall", "send", resolve(file), ...given, "--yes"].map(quote).join(" ");
}

/** For a POSIX shell. */
function quote(word: string): string {
  return /^[\w./:=@%+,-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
