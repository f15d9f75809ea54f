import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { Stages } from "../terminal/stages.ts";
import { toSarif } from "./report/sarif.ts";
import { toText } from "./report/text.ts";
import type { Confidence } from "./scan/finding.ts";
import type { ScanResult } from "./scan/scanFolder.ts";

interface ReportOptions {
  readonly failOn: Confidence | "never";
  readonly json?: boolean;
  readonly sarif?: boolean;
}

/** Runs `crosscall migrate report`. */
export async function runReport(folder: string, { failOn, json = false, sarif = false }: ReportOptions): Promise<void> {
  const interrupt = interruptOnCtrlC();
  const stages = new Stages({ isSilent: json || sarif, signal: interrupt.signal });
  try {
    const result = await stages.run(`Scan ${folder}`, async ({ update }) => {
      // The compiler is heavy, and the other commands do without it.
      const { scanFolder } = await import("./scan/scanFolder.ts");
      return scanFolder(folder, interrupt.signal, update);
    });
    const isFailing = result.findings.some(({ confidence }) => failOn === "likely" || confidence === failOn);
    process.stdout.write(toOutput(result, { json, sarif, isFailing }));
    if (isFailing) process.exitCode = 1;
  } finally {
    interrupt.release();
  }
}

function toOutput(result: ScanResult, format: { json: boolean; sarif: boolean; isFailing: boolean }): string {
  if (format.json) return `${JSON.stringify({ ok: !format.isFailing, ...result })}\n`;
  return format.sarif ? `${JSON.stringify(toSarif(result.findings), undefined, 2)}\n` : toText(result);
}
