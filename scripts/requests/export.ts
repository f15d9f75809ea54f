import { openService } from "../options/openService.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { Stages } from "../terminal/stages.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { eachRequest } from "./eachRequest.ts";
import { type FilterOptions, toQuery } from "./toQuery.ts";
import { type ExportFormat, writeRequests } from "./writeRequests.ts";

interface ExportOptions extends FilterOptions {
  readonly format: ExportFormat;
  readonly out: string;
  readonly limit: number;
  readonly json?: boolean;
}

export async function runExport({ json = false, ...options }: ExportOptions): Promise<void> {
  const { format, out: file } = options;
  using interrupt = interruptOnCtrlC();
  const stages = new Stages({ isSilent: json, signal: interrupt.signal });
  const client = openService(options);
  const listing = toQuery(options);
  const count = await stages.run(`Export to ${file}`, ({ update }) =>
    writeRequests(eachRequest(client, listing, interrupt.signal), {
      format,
      file,
      signal: interrupt.signal,
      onCount: (written) => update(`${written} requests`),
    }),
  );
  process.stdout.write(json ? toJsonLine({ ok: true, requests: count, format, file }) : `${count} requests\n`);
}
