import { expect } from "chai";
import fc from "fast-check";
import { getAddress } from "viem";

import { SEED } from "../../../../tools/tests/seed.ts";
import { CrosscallError } from "../../../../packages/protocol/src/core/errors.ts";
import { planSteps, requestIdOf } from "../../../../packages/protocol/src/quote/planSteps.ts";
import type { Quote } from "../../../../packages/protocol/src/quote/quote.ts";
import { createServiceClient, executeSteps } from "../../../../packages/sdk/src/index.ts";
import { verifyQuote } from "../../../../packages/sdk/src/verify/verifyQuote.ts";
import { caught, rejected } from "../../../support/rejection.ts";
import { inputs } from "../../../support/inputs.ts";
import { rehashOrder } from "../../../support/rehashOrder.ts";
import { ScriptedWallet } from "../execute/scriptedWallet.ts";
import { AUTHORIZATION, BATCH_WITH_CALLS, NOW, PERMIT_REQUEST, permitQuote } from "./permitQuote.ts";
import { quoteOf, requestOf, timeOf } from "./publishedQuotes.ts";

const gasless = rehashOrder(quoteOf("features/gasless-execution.mdx", 41));
const calling = rehashOrder(quoteOf("references/api/api_guides/calling-integration-guide.mdx", 103));
const atNow = { now: () => NOW * 1_000 };

const BASES = [
  { request: requestOf(gasless, {}), quote: gasless, clock: timeOf(gasless) },
  { request: requestOf(calling, {}), quote: calling, clock: timeOf(calling) },
  { request: PERMIT_REQUEST, quote: permitQuote(AUTHORIZATION), clock: atNow },
  { request: PERMIT_REQUEST, quote: permitQuote(BATCH_WITH_CALLS), clock: atNow },
] as const;

/** Returns a verdict, or the code of the error. Rethrows all errors that are not the kit's. */
async function outcomeOf(base: (typeof BASES)[number], quote: unknown, laterSteps?: unknown): Promise<string> {
  try {
    const parameters = laterSteps === undefined ? {} : { laterSteps: laterSteps as NonNullable<Quote["steps"]> };
    return (await verifyQuote({ ...base, ...parameters, quote: quote as Quote })).verdict;
  } catch (error) {
    if (error instanceof CrosscallError) return error.code;
    throw error;
  }
}

/** Returns the paths of all values in the quote. */
function pathsOf(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...at, key]))];
}

function replace(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to;
  const inner = replace((value as Readonly<Record<string, unknown>>)[key], rest, to);
  if (Array.isArray(value)) return value.map((item: unknown, index) => (String(index) === key ? inner : item));
  return { ...(value as object), [key]: inner };
}

describe("quotes that no service should send", () => {
  const JUNK: readonly unknown[] = [null, undefined, 7, "", "0x", [], {}, [null], [[]], true];

  it("are malformed if their steps are invalid", async () => {
    for (const base of BASES) {
      for (const junk of JUNK) {
        expect(await outcomeOf(base, junk), `quote ${JSON.stringify(junk)}`).to.equal("MALFORMED_DATA");
        expect(await outcomeOf(base, { ...base.quote, steps: junk })).to.equal("MALFORMED_DATA");
        if (junk === undefined || junk === null || Array.isArray(junk)) continue;
        expect(await outcomeOf(base, base.quote, junk), `later ${JSON.stringify(junk)}`).to.equal("MALFORMED_DATA");
      }
      for (const junk of [[null], [[]], ["deposit"], [{ kind: "transaction", items: [null] }]]) {
        expect(await outcomeOf(base, { ...base.quote, steps: junk })).to.equal("MALFORMED_DATA");
        expect(await outcomeOf(base, base.quote, junk)).to.equal("MALFORMED_DATA");
      }
    }
  });

  it("are rejected by planSteps and requestIdOf", () => {
    for (const steps of [[null], [{ kind: "transaction", items: [null] }], [{ kind: "transaction", items: null }]]) {
      const { code } = caught(() => planSteps(steps as never, 8_453));
      expect([code, caught(() => requestIdOf({ steps: steps as never })).code]).to.deep.equal([
        "MALFORMED_DATA",
        "MALFORMED_DATA",
      ]);
    }
    const kind = "transaction";
    for (const junk of [7, "", "0x", {}, true]) {
      for (const steps of [
        junk,
        [junk],
        [{ kind, items: junk }],
        [{ kind, items: [{ data: junk }] }],
        [{ kind, data: junk }],
      ]) {
        const { code } = caught(() => planSteps(steps as never, 8_453));
        expect(code, JSON.stringify(steps)).to.equal("MALFORMED_DATA");
        expect(caught(() => requestIdOf({ steps: steps as never })).code).to.equal("MALFORMED_DATA");
      }
    }
    for (const junk of JUNK) expect(caught(() => requestIdOf(junk as never)).code).to.equal("MALFORMED_DATA");
  });

  it("are rejected or malformed after a change to one value, unless the value is irrelevant", async () => {
    for (const base of BASES.slice(1)) {
      for (const path of pathsOf(base.quote)) {
        for (const junk of [null, 7, "0x", "-1", [null], { toString: null }]) {
          const outcome = await outcomeOf(base, replace(base.quote, path, junk));
          expect(outcome).to.be.oneOf(["bound", "needsSimulation", "refused", "MALFORMED_DATA", "UNSUPPORTED_STEP"]);
        }
      }
    }
  });

  it("cause a kit error in executeSteps after a change to one value", async () => {
    const fetchUnknown = () => Promise.resolve(Response.json({ message: "unknown" }, { status: 404 }));
    const client = createServiceClient({
      baseUrl: "http://service.test",
      apiKey: "key",
      limits: false,
      fetch: fetchUnknown,
    });
    for (const { quote, ...base } of BASES.slice(1, 3)) {
      const wallet = new ScriptedWallet({}, { account: getAddress(base.request.user) as never });
      for (const path of pathsOf(quote).slice(1)) {
        for (const junk of [7, [null], { toString: null }]) {
          const changed = replace(quote, path, junk) as Quote;
          await rejected(executeSteps(client, { ...base, quote: changed, wallet: wallet.client }));
        }
      }
      expect(wallet.methods.filter((method) => /sign|send/iu.test(method))).to.deep.equal([]);
    }
  });

  it("cause a report or a kit error, for any input", async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.jsonValue()), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...BASES), changes, async (base, list) => {
        let quote: unknown = base.quote;
        for (const [index, value] of list) {
          const paths = pathsOf(quote);
          quote = replace(quote, paths[index % paths.length] ?? [], value);
        }
        await outcomeOf(base, quote);
      }),
      { seed: SEED, numRuns: inputs(500) },
    );
  });
});
