import { resolve } from "node:path";

/** What of a run the next one needs, beside the endpoints and the keys. */
export interface ResumedRun {
  readonly file: string;
  readonly journal: string;
  readonly keyFile?: string | undefined;
  readonly maxAge?: number | undefined;
  readonly toleranceBps?: number | undefined;
  readonly timeout?: number | undefined;
}

/**
 * The command that goes on with a run, from any folder. Endpoints are left out, since their URLs may carry keys.
 *
 * @param run a `journal` that is absolute
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

/** As a POSIX shell reads it back. */
function quote(word: string): string {
  return /^[\w./:=@%+,-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
