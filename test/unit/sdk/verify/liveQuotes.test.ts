import { expect } from "chai";

import type { CrosscallError } from "../../../../packages/protocol/src/core/errors.ts";
import type { Quote } from "../../../../packages/protocol/src/quote/quote.ts";
import type { QuoteRequest } from "../../../../packages/protocol/src/quote/quoteRequest.ts";
import { ROUTERS } from "../../../../packages/protocol/src/generations/routers.ts";
import type { QuoteClaimCode } from "../../../../packages/sdk/src/verify/quoteReport.ts";
import { verifyQuote } from "../../../../packages/sdk/src/verify/verifyQuote.ts";
import { isHarmless, mutateQuote } from "../../../integration/verify/mutateQuote.ts";
import { rehashOrder } from "../../../support/rehashOrder.ts";
import { payloads, quoteOf, requestOf, timeOf, unmetOf } from "./publishedQuotes.ts";

const replace = (quote: Quote, was: string, is: string): Quote =>
  JSON.parse(JSON.stringify(quote).replaceAll(was, is)) as Quote;

describe("verified quotes from the live service", () => {
  const EXACT_OUTPUT = { tradeType: "EXACT_OUTPUT", amount: "100000000000000000" } as const;
  const QUOTES: readonly (readonly [page: string, line: number, verdict: string, change: Partial<QuoteRequest>])[] = [
    ["references/api/api_guides/calling-integration-guide.mdx", 103, "bound", EXACT_OUTPUT],
    ["features/gasless-execution.mdx", 41, "bound", {}],
    ["features/deposit-addresses.mdx", 94, "needsSimulation", { useDepositAddress: true }],
  ];

  it("include all published quotes with an order", () => {
    const withOrder = payloads.filter(
      ({ payload }) => (payload as Quote | null)?.protocol?.v2?.orderData !== undefined,
    );
    const places = (list: readonly { readonly page: string; readonly line: number }[]): readonly string[] =>
      list.map(({ page, line }) => `${page}:${line}`).toSorted();
    expect(places(QUOTES.map(([page, line]) => ({ page, line })))).to.deep.equal(places(withOrder));
  });

  for (const [page, line, expected, change] of QUOTES) {
    const published = quoteOf(page, line);
    // In some quotes, the documented user differs from the user in the hashed order.
    const quote = rehashOrder(published);
    const request = requestOf(quote, change);
    const verify = (changed: Quote) => verifyQuote({ request, quote: changed, clock: timeOf(quote) });

    it(`match the request: ${page}`, async () => {
      const report = await verify(quote);
      expect(unmetOf(report)).to.deep.equal(new Set());
      expect(report.verdict).to.equal(expected);
    });

    it(`are rejected if the order does not match its id: ${page}`, async () => {
      const isEdited = JSON.stringify(published) !== JSON.stringify(quote);
      const codes = change.useDepositAddress === true ? ["ORDER_ID"] : ["ORDER_ID", "DEPOSIT_ID"];
      expect(unmetOf(await verify(published))).to.deep.equal(new Set(isEdited ? codes : []));
    });

    it(`are rejected with another solver, user, order or depository: ${page}`, async () => {
      const { v2 } = quote.protocol ?? {};
      const user = quote.details?.sender ?? "";
      const corrupted: readonly (readonly [string, string])[] = [
        ["0xf70da97812cb96acdf810712aa562db8dfa3dbef", "0x00000000000000000000000000000000000c0de5"],
        [user, "0x00000000000000000000000000000000000c0DE5"],
        [v2?.orderId ?? "", `0x${"12".repeat(32)}`],
        ["0x4cd00e387622c35bddb9b4c962c136462338bc31", "0x00000000000000000000000000000000000c0de5"],
        [v2?.orderData?.salt ?? "", `0x${"12".repeat(32)}`],
      ];
      for (const [was, is] of corrupted) {
        expect((await verify(replace(quote, was, is))).verdict, was).to.equal("refused");
      }
    });
  }

  interface Published {
    readonly place: string;
    readonly change?: Partial<QuoteRequest>;
    readonly outcome: string;
    readonly unmet: readonly QuoteClaimCode[];
    readonly reason: string;
  }

  const PUBLISHED: readonly Published[] = [
    {
      place: "features/app-fees.mdx:135",
      outcome: "MALFORMED_DATA",
      unmet: [],
      reason: "a step of a fee claim, without a requestId",
    },
    {
      place: "features/deposit-addresses.mdx:94",
      change: { useDepositAddress: true },
      outcome: "needsSimulation",
      unmet: [],
      reason: "only the service knows who holds the address",
    },
    {
      place: "features/gasless-execution.mdx:41",
      outcome: "refused",
      unmet: ["ORDER_ID", "DEPOSIT_ID"],
      reason: "the user was replaced after the order was hashed",
    },
    {
      place: "references/api/api_core_concepts/step-execution.mdx:572",
      outcome: "MALFORMED_DATA",
      unmet: [],
      reason: "an outline of a response, without a requestId",
    },
    {
      place: "references/api/api_guides/bridging-integration-guide.mdx:59",
      change: { user: "0x742d35Cc6634C0532925a3b8D9d4DB0a2D7DD5B3" },
      outcome: "refused",
      unmet: ["ORDER_PRESENT", "DEPOSIT_ID", "DEPOSIT_AMOUNT", "DEPOSIT_CURRENCY"],
      reason: "a payment to the solver of an older version, without an order",
    },
    {
      place: "references/api/api_guides/calling-integration-guide.mdx:103",
      change: EXACT_OUTPUT,
      outcome: "refused",
      unmet: ["ORDER_ID", "DEPOSIT_ID"],
      reason: "the user was replaced after the order was hashed",
    },
    {
      place: "references/api/quickstart.mdx:160",
      outcome: "MALFORMED_DATA",
      unmet: [],
      reason: "the call data is cut off with dots",
    },
  ];

  it("each have one of the expected outcomes if they are unchanged", async () => {
    const seen: Record<string, unknown> = {};
    for (const { page, line, payload } of payloads) {
      if (typeof payload !== "object" || payload === null || !("steps" in payload)) continue;
      const place = `${page}:${line}`;
      const quote = quoteOf(page, line);
      const change = PUBLISHED.find((one) => one.place === place)?.change ?? {};
      const clock = timeOf(quote);
      const verified = verifyQuote({ request: requestOf(quote, change), quote, clock });
      seen[place] = await verified.then(
        (report) => [report.verdict, [...unmetOf(report)], report.warnings],
        (error: unknown) => [(error as CrosscallError).code, [], []],
      );
    }
    expect(seen).to.deep.equal(
      Object.fromEntries(PUBLISHED.map(({ place, outcome, unmet }) => [place, [outcome, unmet, []]])),
    );
    expect(PUBLISHED.every(({ reason }) => reason.length > 0)).to.equal(true);
  });

  it("match the request if a sponsor pays the fees", async () => {
    const published = quoteOf("features/gasless-execution.mdx", 41);
    const { details } = published;
    const impact = { ...details?.expandedPriceImpact, sponsored: { usd: "0.028858" } };
    const quote = rehashOrder({ ...published, details: { ...details, expandedPriceImpact: impact } });
    const report = await verifyQuote({ request: requestOf(quote, {}), quote, clock: timeOf(quote) });
    expect([report.verdict, unmetOf(report)]).to.deep.equal(["bound", new Set()]);
  });

  it("are rejected after any change to the order", async () => {
    let tried = 0;
    for (const [page, line, , change] of QUOTES) {
      const quote = rehashOrder(quoteOf(page, line));
      const request = requestOf(quote, change);
      for (const mutation of mutateQuote(quote)) {
        if (!mutation.path.startsWith("protocol.v2.orderData.") || isHarmless(mutation, page)) continue;
        const { path, name, mutated } = mutation;
        const { verdict } = await verifyQuote({ request, quote: mutated as Quote, clock: timeOf(quote) });
        expect(verdict, `${page} ${path} ${name}`).to.equal("refused");
        tried += 1;
      }
    }
    expect(tried).to.be.above(300);
  });

  it("are rejected with the requestId of an earlier quote", async () => {
    const quote = rehashOrder(quoteOf("features/gasless-execution.mdx", 41));
    const known = [quote.steps?.[0]?.requestId ?? ""];
    const parameters = { request: requestOf(quote, {}), quote, clock: timeOf(quote) };
    for (const ids of [known, known.map((id) => `0x${id.slice(2).toUpperCase()}`)]) {
      expect(unmetOf(await verifyQuote({ ...parameters, knownRequestIds: ids }))).to.deep.equal(
        new Set(["REQUEST_NEW"]),
      );
    }
  });

  it("are rejected with an order that lasts longer than the usual lifetime or the ttl", async () => {
    const quote = rehashOrder(quoteOf("features/gasless-execution.mdx", 41));
    const deadline = quote.protocol?.v2?.orderData?.output?.deadline ?? 0;
    const DAY = 86_400;
    const verify = (days: number, ttl?: number) => {
      const request = requestOf(quote, ttl === undefined ? {} : { ttl });
      return verifyQuote({ request, quote, clock: { now: () => (deadline - days * DAY) * 1_000 } });
    };
    const seen = async (days: number, ttl?: number) => {
      const report = await verify(days, ttl);
      return [report.verdict, [...unmetOf(report)], [...new Set(report.warnings.map(({ code }) => code))]];
    };
    expect(await seen(8)).to.deep.equal(["bound", [], []]);
    expect(await seen(11)).to.deep.equal(["refused", ["ORDER_DEADLINE"], []]);
    expect(await seen(7, 60)).to.deep.equal(["bound", [], ["ORDER_DEADLINE"]]);
    expect(await seen(360, 60)).to.deep.equal(["refused", ["ORDER_DEADLINE"], ["ORDER_DEADLINE"]]);
    expect(await seen(20, 20 * DAY)).to.deep.equal(["bound", [], []]);
  });

  it("are rejected with an order that pays one router and is filled by another", async () => {
    const quote = rehashOrder(quoteOf("references/api/api_guides/calling-integration-guide.mdx", 103));
    const other = ROUTERS[0].pairs.cancun.router.slice(2);
    const order = structuredClone(quote.protocol?.v2?.orderData);
    for (const change of [{ extraData: `0x${"0".repeat(24)}${other}` }, { extraData: "0x" }]) {
      const changed = { ...order, output: { ...order?.output, ...change } };
      const hostile = rehashOrder({ ...quote, protocol: { v2: { ...quote.protocol?.v2, orderData: changed } } });
      const report = await verifyQuote({
        request: requestOf(hostile, EXACT_OUTPUT),
        quote: hostile,
        clock: timeOf(hostile),
      });
      expect(unmetOf(report), change.extraData).to.deep.equal(new Set(["ORDER_FILL_CONTRACT"]));
    }
  });

  it("are rejected after the order's deadline", async () => {
    const quote = rehashOrder(quoteOf("features/gasless-execution.mdx", 41));
    const report = await verifyQuote({ request: requestOf(quote, {}), quote, clock: { now: () => 4e12 } });
    expect([report.verdict, unmetOf(report)]).to.deep.equal(["refused", new Set(["ORDER_DEADLINE"])]);
  });
});
