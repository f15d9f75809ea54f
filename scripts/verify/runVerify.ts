import { relative } from "node:path";

import { parseAmount } from "@crosscall/sdk/internal/core/amounts";
import { compact } from "@crosscall/sdk/internal/core/compact";
import { requestIdOf } from "@crosscall/sdk/internal/protocol/quote/planSteps";
import { type QuoteRequest, QuoteRequestSchema } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import { QuoteSchema } from "@crosscall/sdk/internal/protocol/quote/quote";
import { parseData } from "@crosscall/sdk/internal/protocol/schema/parse";
import { readResponse } from "@crosscall/sdk/internal/protocol/schema/readResponse";
import { formatQuoteReport, quoteReportToSarif } from "@crosscall/sdk/internal/verify/formatQuoteReport";
import type { QuoteReport } from "@crosscall/sdk/internal/verify/quoteReport";
import { verifyQuote } from "@crosscall/sdk/internal/verify/verifyQuote";
import { readJson } from "../options/readJson.ts";
import { readQuote } from "../options/readQuote.ts";
import { readTrust } from "../options/readTrust.ts";
import { writeOut } from "../terminal/replaceFile.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface Options {
  readonly request?: string;
  readonly trust?: string;
  readonly minimumOutput?: string;
  readonly maximumInput?: string;
  readonly maximumImpactBps?: number;
  readonly format: "text" | "json" | "sarif";
  readonly out?: string;
  readonly json?: boolean;
}

/** Exits with 1 unless the quote is bound. */
export async function runVerify(file: string, options: Options): Promise<void> {
  const { request, quote } = await readSubject(file, options.request);
  const { minimumOutput, maximumInput, maximumImpactBps } = options;
  const report = await verifyQuote({
    request,
    quote,
    trust: await readTrust(options.trust),
    limits: compact({
      minimumOutput: minimumOutput === undefined ? undefined : parseAmount(minimumOutput, "--minimum-output"),
      maximumInput: maximumInput === undefined ? undefined : parseAmount(maximumInput, "--maximum-input"),
      maximumImpactBps,
    }),
  });
  const isBound = report.verdict === "bound";
  const text = formatReport(report, options.format, file);
  if (options.out !== undefined) await writeOut(options.out, text);
  if (options.json === true)
    process.stdout.write(toJsonLine({ ok: isBound, requestId: requestIdOf(quote), ...report }));
  else process.stdout.write(`${options.out === undefined ? text : formatQuoteReport(report)}\n`);
  if (!isBound) process.exitCode = 1;
}

async function readSubject(file: string, requestFile: string | undefined) {
  if (requestFile === undefined) {
    const quote = await readQuote(file);
    return { quote, request: quote.quotedRequest };
  }
  const request: QuoteRequest = parseData(
    QuoteRequestSchema,
    await readJson(requestFile, "--request"),
    `the request in ${requestFile}`,
  );
  return { quote: readResponse(QuoteSchema, await readJson(file, "quote.json")), request };
}

function formatReport(report: QuoteReport, format: Options["format"], file: string): string {
  switch (format) {
    case "text":
      return formatQuoteReport(report);
    case "json":
      return JSON.stringify(report, null, 2);
    case "sarif":
      return JSON.stringify(quoteReportToSarif(report, relative("", file)), null, 2);
  }
}
