import * as Type from "typebox";
import { zeroAddress } from "viem";

import { AbortedError, CrosscallError, MalformedDataError } from "@crosscall/protocol/core";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { parseJson } from "@crosscall/protocol/schema";
import { localAccounts } from "../../devchain/accounts.ts";
import { createMutex } from "../../devchain/mutex.ts";
import { RefusalError } from "../../market/refusal.ts";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import type { ServiceApp } from "../../service/route.ts";
import { clientOptions, commandBlocks, keyHeader, type Service, serviceOptions, shellText } from "../commands.ts";
import type { ConsoleParts } from "../consoleParts.ts";
import type { Controls } from "../controls.ts";
import { alert } from "../elements.ts";
import type { Pages } from "../page.ts";
import { serviceOf } from "../serviceOf.ts";
import { callsReport, parseRequest, preflightReport, quoteReport } from "./quoteReport.ts";

interface QuoteParts extends Pick<ConsoleParts, "chains" | "currencies" | "shownApiKey" | "trust"> {
  readonly pages: Pages;
  readonly controls: Controls;
}

const ComposerSchema = Type.Object({
  request: Type.String(),
  /** `check` needs no quote; `quote` verifies one, and `preflight` simulates it, too. */
  action: Type.String({ enum: ["check", "quote", "preflight"] }),
});

/** A fork occupies the process, so there is one preflight at a time. */
const runExclusive = createMutex();

/** Checks, quotes, verifies and simulates a pasted quote request. */
export function addQuotePage(scope: ServiceApp, parts: QuoteParts): void {
  const { pages, controls } = parts;
  const page = (
    service: Service,
    text: string,
    mayQuote: boolean,
    report: Markup,
  ): { title: string; content: Markup } => ({
    title: "Quote",
    content: markup`<h1>Quote</h1>
<form method="post" action="/console/quote">
<label for="composer">Body of POST /quote/v3</label>
<textarea id="composer" name="request" required spellcheck="false">${text}</textarea>
<p><button name="action" value="check">Check the calls</button>
${mayQuote ? markup`<button name="action" value="quote">Quote and verify</button> <button name="action" value="preflight">Quote, verify and preflight</button>` : ""}</p>
</form>
${linkTo(text)}
<div id="report">${report}</div>
${quoteCommands(service, text)}`,
  });

  scope.get(
    "/console/quote",
    { schema: { hide: true, querystring: Type.Object({ request: Type.Optional(Type.String()) }) } },
    (request, reply) => {
      const text = request.query.request ?? exampleRequest(parts);
      return pages.send(request, reply, page(serviceOf(request, parts), text, controls.mayChange(request), markup``));
    },
  );

  scope.post("/console/quote", { schema: { hide: true, body: ComposerSchema } }, async (request, reply) => {
    const { request: text, action } = request.body;
    const left = new AbortController();
    reply.raw.on("close", () => left.abort(new AbortedError({ what: "the report" })));
    const { report, status } = await buildReport(text, action, (body) => controls.quote(request, body), left.signal);
    const service = serviceOf(request, parts);
    return pages.send(request, reply, { ...page(service, text, controls.mayChange(request), report), status });
  });

  async function buildReport(
    text: string,
    action: string,
    quote: (body: object) => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<{ readonly report: Markup; readonly status: number }> {
    const sections: Markup[] = [];
    try {
      const body = parseRequest(text);
      sections.push(await callsReport(parts, body, signal));
      if (action !== "check") {
        const answer = await quote(body);
        sections.push(await quoteReport(parts, body, answer));
        if (action === "preflight") {
          sections.push(await runExclusive(() => preflightReport(parts, body, answer, signal)));
        }
      }
      return { report: markup`${sections}`, status: 200 };
    } catch (error) {
      if (!(error instanceof CrosscallError)) throw error;
      const status = error instanceof RefusalError ? error.status : error instanceof MalformedDataError ? 400 : 422;
      const message = error instanceof RefusalError ? error.message : `${error.message}. ${error.hint}`;
      return { report: markup`${sections}${alert(message)}`, status };
    }
  }
}

/** Native currency of the first chain for dollars of the second. */
function exampleRequest({ chains }: Pick<ConsoleParts, "chains">): string {
  const [origin, destination] = [...chains.values()];
  const request: Partial<QuoteRequest> = {
    user: localAccounts.user.address,
    ...(origin === undefined ? {} : { originChainId: origin.id, originCurrency: zeroAddress }),
    ...(destination === undefined
      ? {}
      : { destinationChainId: destination.id, destinationCurrency: destination.contracts.dollar }),
    tradeType: "EXACT_INPUT",
    amount: "10000000000000000",
  };
  return JSON.stringify(request, null, 2);
}

/** Servers and browsers limit the length of an address. */
const LINK_MAX = 8_000;

function linkTo(text: string): Markup {
  const url = `/console/quote?request=${encodeURIComponent(text)}`;
  return url.length > LINK_MAX ? markup`` : markup`<p><a href="${url}">Link to this request</a></p>`;
}

/** Only JSON is copied as code: the text may come from a link that someone else made. */
function toLiteral(text: string): string {
  return JSON.stringify(parseJson(text) ?? {}, null, 2);
}

function quoteCommands(service: Service, text: string): Markup {
  return commandBlocks({
    curl: `curl ${shellText(`${service.url}/quote/v3`)} ${keyHeader(service.apiKey)} -H 'content-type: application/json' -d ${shellText(text)}`,
    sdk: `import { createServiceClient, getQuote } from "@crosscall/sdk";

const client = createServiceClient(${clientOptions(service)});
const quote = await getQuote(client, ${toLiteral(text)});`,
    cli: `printf %s ${shellText(text)} > request.json
crosscall quote request.json ${serviceOptions(service)}`,
  });
}
