import type { ReceivedQuote } from "@crosscall/protocol/quote/rules";
import type { Preflight } from "@crosscall/sdk/kit";
import type { PreflightOptions } from "../replay/preflight/createPreflight.ts";
import { awaitCheck, type AssertionSubject, subjectOf } from "./subject.ts";

/** Adds `passPreflight(options)`: both legs of a quote work, and do what was asked for. */
export function addPassPreflight(chai: Chai.ChaiStatic, utils: Chai.ChaiUtils): void {
  utils.addMethod(
    chai.Assertion.prototype,
    "passPreflight",
    function (this: Chai.AssertionStatic, options: PreflightOptions) {
      const subject = subjectOf(chai, utils, this);
      awaitCheck(utils, this, () => checkPreflight(subject, options));
      return this;
    },
  );
}

async function checkPreflight(subject: AssertionSubject, options: PreflightOptions): Promise<void> {
  const given = await subject.given();
  const preflight = toPreflight(given);
  if (preflight === undefined) return subject.refuse("expected a quote of getQuote, or `{ request, quote }`");
  // Tests of fills alone need no forks.
  const { createPreflight } = await import("../replay/preflight/createPreflight.ts");
  const { verdict, findings, requestId } = await createPreflight(options)(preflight);
  const errors = findings.filter(({ severity }) => severity === "error");
  const text = errors.map(({ code, leg, reason }) => `${code} (${leg}): ${reason}`);
  const expected = `expected the quote of request ${requestId} ${subject.isNegated ? "not " : ""}to pass its preflight`;
  subject.check(verdict === "passed", {
    message: `${expected}, but ${text.join("; ")}`,
    negated: `${expected}, but both legs work`,
    expected: [],
    actual: errors.map(({ code }) => code),
  });
}

function toPreflight(given: unknown): Preflight | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  if ("request" in given && "quote" in given) return given as Preflight;
  if (!("quotedRequest" in given)) return undefined;
  const quote = given as ReceivedQuote;
  return { request: quote.quotedRequest, quote };
}
