import { extname } from "node:path";

import * as Type from "typebox";

import { compact, InvalidInputError, printableData } from "@crosscall/protocol/core";
import { amountText } from "@crosscall/protocol/schema";
import type { Quote } from "@crosscall/protocol/quote";
import type { QuoteRequest, ReceivedQuote } from "@crosscall/protocol/quote/rules";
import { formatQuoteReport } from "@crosscall/sdk/kit";
import { verifyQuote } from "@crosscall/sdk/verify";
import { isFailing } from "../../../options/commonOptions.ts";
import { readQuoteWithRequest } from "../../../options/readQuote.ts";
import { Stages } from "../../../terminal/stages.ts";
import { connectPreflight } from "../../preflight/connectPreflight.ts";
import { formatQuoteOutcome, takeQuote } from "../../quote/run.ts";
import { readQuoteCurrencies } from "../../verify/readQuoteCurrencies.ts";
import { quoteNotation } from "../../../replay/report/quoteNotation.ts";
import { requireJsonFile } from "../files.ts";
import { endpointOf, placeField, type Places } from "../places.ts";
import { codesOf, commandOf, defineTool, type Tool } from "../tool.ts";
import { planField, readGivenPlan } from "./compose.ts";

/** Number of quotes to keep. */
const MAX_QUOTES = 50;

/** The last quotes of this server by request id, so that agents need not copy them. */
export class QuoteShelf {
  readonly #quotes = new Map<string, ReceivedQuote>();

  keep(requestId: string, quote: ReceivedQuote): void {
    const [oldest] = this.#quotes.keys();
    if (this.#quotes.size >= MAX_QUOTES && oldest !== undefined) this.#quotes.delete(oldest);
    this.#quotes.set(requestId, quote);
  }

  /** Finds a kept quote, or reads the quote from a file. */
  async read(given: string): Promise<GivenQuote> {
    const kept = this.#quotes.get(given);
    if (kept !== undefined) return { quote: kept, request: kept.quotedRequest, file: "quote.json" };
    if (extname(given) !== ".json") {
      throw new InvalidInputError({
        field: "quote",
        value: given,
        reason: `the server keeps its last ${MAX_QUOTES} quotes, and none has this requestId`,
        hint: "Request a quote with the tool quote first, or pass the path of a file from `crosscall quote --out`.",
      });
    }
    const file = await requireJsonFile(given, "quote");
    return { ...(await readQuoteWithRequest(file, undefined)), file };
  }
}

interface GivenQuote {
  readonly quote: Quote;
  readonly request: QuoteRequest;
  /** File for a command. */
  readonly file: string;
}

export const quoteField = Type.String({
  description: "requestId from the tool quote, or the path of a file from `crosscall quote --out`.",
});

export function quoteTools(places: Places, shelf: QuoteShelf): readonly Tool[] {
  return [
    defineTool({
      name: "quote",
      description:
        "Check a plan, request a quote, and return its fees, steps and minimum output. The requestId selects it in verify, preflight and replay. Nothing is paid.",
      input: { plan: planField, ...placeField },
      async run({ plan: given, place: name }, signal) {
        const { plan, file } = await readGivenPlan(given);
        const place = await places.select(name);
        const { destinationChainId } = plan.request;
        const rpcUrl = endpointOf(place, destinationChainId);
        const outcome = await takeQuote({
          plan,
          client: place.client(),
          failOn: "error",
          node: rpcUrl === undefined ? undefined : { rpcUrl, source: "option" },
          stages: new Stages({ isSilent: true, signal }),
          signal,
        });
        const { findings } = outcome;
        const shown = "quote" in outcome ? outcome : undefined;
        if (shown?.requestId !== undefined) shelf.keep(shown.requestId, shown.quote);
        return {
          ok: !isFailing(findings, "error"),
          summary: formatQuoteOutcome(printableData(outcome)),
          facts: {
            findings: codesOf(findings),
            ...compact({
              requestId: shown?.requestId,
              minimumOutput: shown?.minimumOutput,
              freshUntilMs: shown?.freshUntilMs,
            }),
          },
          command: commandOf("quote", file, ...place.serviceFlags, "--out", "quote.json"),
        };
      },
    }),
    defineTool({
      name: "verify",
      description: "Check offline that the steps of a quote do only what the request specifies, before a user signs.",
      input: {
        quote: quoteField,
        minimumOutput: Type.Optional(amountText("Minimum amount to receive, in the smallest unit.")),
        maximumInput: Type.Optional(amountText("Maximum amount to pay, in the smallest unit.")),
        ...placeField,
      },
      async run({ quote: given, minimumOutput, maximumInput, place: name }) {
        const { quote, request, file } = await shelf.read(given);
        const { trust } = await places.select(name);
        const limits = compact({
          minimumOutput: minimumOutput === undefined ? undefined : BigInt(minimumOutput),
          maximumInput: maximumInput === undefined ? undefined : BigInt(maximumInput),
        });
        const report = await verifyQuote({ request, quote, trust, limits });
        const { verdict, claims } = report;
        return {
          ok: verdict === "bound",
          summary: formatQuoteReport(printableData(report), quoteNotation(printableData({ request, quote, trust }))),
          facts: { verdict, unmet: claims.filter(({ isMet }) => !isMet) },
          command: commandOf(
            "verify",
            file,
            ...(minimumOutput === undefined ? [] : ["--minimum-output", minimumOutput]),
            ...(maximumInput === undefined ? [] : ["--maximum-input", maximumInput]),
          ),
        };
      },
    }),
    defineTool({
      name: "preflight",
      description:
        "Execute the steps of a quote on forks of its chains, and the fill from the minimum amount upward. Checks transfers and remaining allowances. Signs nothing.",
      input: { quote: quoteField, ...placeField },
      async run({ quote: given, place: name }, signal) {
        const { quote, request, file } = await shelf.read(given);
        const { network, rpcUrls, trust, rpcFlags } = await places.select(name);
        const { chains, targets } = await connectPreflight(rpcUrls, network.svmRpcUrl, signal);
        // Imported here, because it loads the EVM.
        const { preflight } = await import("../../../replay/preflight/preflight.ts");
        const { formatPreflight } = await import("../../../replay/preflight/report/formatPreflight.ts");
        const report = await preflight({ request, quote, chains, trust, signal });
        const currencies = await readQuoteCurrencies(targets, { request, quote });
        const { verdict, findings, requestId } = report;
        return {
          ok: verdict === "passed",
          summary: formatPreflight(printableData(report), printableData({ request, quote, trust, currencies })),
          facts: { verdict, requestId, findings: codesOf(findings) },
          command: commandOf("preflight", file, ...chains.flatMap(({ id }) => rpcFlags(id))),
        };
      },
    }),
  ];
}
