import { readFileSync } from "node:fs";

import { expect } from "chai";

import { decodeOrderCall } from "../../../../sdk/src/protocol/order/orderCalls.ts";
import { type Quote, QuoteSchema } from "../../../../sdk/src/protocol/quote/quote.ts";
import type { QuoteRequest } from "../../../../sdk/src/protocol/quote/quoteRequest.ts";
import { readResponse } from "../../../../sdk/src/protocol/schema/readResponse.ts";
import type { QuoteReport } from "../../../../sdk/src/verify/quoteReport.ts";
import { verifyQuote } from "../../../../sdk/src/verify/verifyQuote.ts";
import { isHarmless } from "../../../integration/verify/harmlessChanges.ts";
import { mutateQuote } from "../../../integration/verify/mutateQuote.ts";
import { rehashOrder } from "../../../support/rehashOrder.ts";

const payloads = JSON.parse(
  readFileSync(new URL("../../../vectors/payloads.json", import.meta.url), "utf8"),
) as readonly { readonly page: string; readonly line: number; readonly payload: unknown }[];

const quoteOf = (page: string, line: number): Quote => {
  const found = payloads.find((one) => one.page === page && one.line === line);
  if (found === undefined) throw new Error(`there is no payload of ${page}`);
  return readResponse(QuoteSchema, found.payload);
};

/** What was asked for, from what the documentation says about each quote. */
const requestOf = ({ details, protocol }: Quote, change: Partial<QuoteRequest>): QuoteRequest => ({
  user: details?.sender ?? "",
  recipient: details?.recipient ?? "",
  originChainId: details?.currencyIn?.currency?.chainId ?? 0,
  destinationChainId: details?.currencyOut?.currency?.chainId ?? 0,
  originCurrency: details?.currencyIn?.currency?.address ?? "",
  destinationCurrency: details?.currencyOut?.currency?.address ?? "",
  tradeType: "EXACT_INPUT",
  amount: details?.currencyIn?.amount ?? "",
  txs: (protocol?.v2?.orderData?.output?.calls ?? []).map(decodeOrderCall),
  ...change,
});

const timeOf = ({ protocol }: Quote) => {
  const deadline = protocol?.v2?.orderData?.output?.deadline ?? 0;
  return { now: () => (deadline - 3_600) * 1_000 };
};

const unmetOf = ({ claims }: QuoteReport) => new Set(claims.filter(({ isMet }) => !isMet).map(({ code }) => code));

const replace = (quote: Quote, was: string, is: string): Quote =>
  JSON.parse(JSON.stringify(quote).replaceAll(was, is)) as Quote;

describe("quotes of the live service that are verified", () => {
  const EXACT_OUTPUT = { tradeType: "EXACT_OUTPUT", amount: "100000000000000000" } as const;
  const QUOTES: readonly (readonly [page: string, line: number, verdict: string, change: Partial<QuoteRequest>])[] = [
    ["references/api/api_guides/calling-integration-guide.mdx", 103, "bound", EXACT_OUTPUT],
    ["features/gasless-execution.mdx", 41, "bound", {}],
    ["features/deposit-addresses.mdx", 94, "needsSimulation", { useDepositAddress: true }],
  ];

  it("are all the published ones with an order", () => {
    const withOrder = payloads.filter(
      ({ payload }) => (payload as Quote | null)?.protocol?.v2?.orderData !== undefined,
    );
    const places = (list: readonly { readonly page: string; readonly line: number }[]): readonly string[] =>
      list.map(({ page, line }) => `${page}:${line}`).toSorted();
    expect(places(QUOTES.map(([page, line]) => ({ page, line })))).to.deep.equal(places(withOrder));
  });

  for (const [page, line, expected, change] of QUOTES) {
    const published = quoteOf(page, line);
    // The documentation names another user in some quotes than the one whose order was hashed.
    const quote = rehashOrder(published);
    const request = requestOf(quote, change);
    const verify = (changed: Quote) => verifyQuote({ request, quote: changed, clock: timeOf(quote) });

    it(`do what was asked for: ${page}`, async () => {
      const report = await verify(quote);
      expect(unmetOf(report)).to.deep.equal(new Set());
      expect(report.verdict).to.equal(expected);
    });

    it(`are refused where the order is not the one of the id: ${page}`, async () => {
      const isEdited = JSON.stringify(published) !== JSON.stringify(quote);
      const codes = change.useDepositAddress === true ? ["ORDER_ID"] : ["ORDER_ID", "DEPOSIT_ID"];
      expect(unmetOf(await verify(published))).to.deep.equal(new Set(isEdited ? codes : []));
    });

    it(`are refused with another solver, user, order or depository: ${page}`, async () => {
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

  it("are refused with any change of the order", async () => {
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

  it("are refused with the requestId of an earlier quote", async () => {
    const quote = rehashOrder(quoteOf("features/gasless-execution.mdx", 41));
    const known = [quote.steps?.[0]?.requestId ?? ""];
    const parameters = { request: requestOf(quote, {}), quote, clock: timeOf(quote) };
    expect(unmetOf(await verifyQuote({ ...parameters, knownRequestIds: known }))).to.deep.equal(
      new Set(["REQUEST_NEW"]),
    );
  });

  it("are refused after the order's deadline", async () => {
    const quote = rehashOrder(quoteOf("features/gasless-execution.mdx", 41));
    const report = await verifyQuote({ request: requestOf(quote, {}), quote, clock: { now: () => 4e12 } });
    expect([report.verdict, unmetOf(report)]).to.deep.equal(["refused", new Set(["ORDER_DEADLINE"])]);
  });
});
