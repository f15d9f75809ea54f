import { expect } from "chai";
import fc from "fast-check";

import {
  rejectMisspelledOptions,
  rejectUnknownOptions,
  UnknownOptionError,
} from "../../../../packages/protocol/src/common/rejectUnknownOptions.ts";
import { caught } from "../../../support/rejection.ts";

interface Options {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly apiKey?: string;
}

const KNOWN = { signal: 1, timeoutMs: 1, apiKey: 1 } as const;

describe("rejectUnknownOptions", () => {
  it("names the option and the most similar known one, without its value", () => {
    for (const [name, nearest] of [
      ["signl", "signal"],
      ["timeout", "timeoutMs"],
      ["TIMEOUTMS", "timeoutMs"],
      ["apikey", "apiKey"],
      ["retries", undefined],
      ["", undefined],
      ["constructor", undefined],
    ] as const) {
      const error = caught(() => rejectUnknownOptions({ [name]: "secret" }, KNOWN, "keys[0]."));
      if (!(error instanceof UnknownOptionError)) throw error;
      expect(error).to.include({ code: "INVALID_INPUT", field: `keys[0].${name}` });
      expect(error.nearest).to.equal(nearest);
      expect(JSON.stringify(error) + String(error)).to.not.contain("secret");
    }
  });

  it("accepts known options and options that are undefined", () => {
    rejectUnknownOptions<Options>({ signal: new AbortController().signal, timeoutMs: 1, apiKey: "" }, KNOWN);
    rejectUnknownOptions<Options>({ retries: undefined } as Options, KNOWN);
    rejectUnknownOptions<Options>(undefined, KNOWN);
  });

  it("rejects any other name", () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        fc.pre(!Object.hasOwn(KNOWN, name) && name !== "__proto__");
        expect(caught(() => rejectUnknownOptions({ [name]: 1 }, KNOWN))).to.include({ field: name });
      }),
    );
  });
});

describe("rejectMisspelledOptions", () => {
  it("rejects only names that are similar to an option", () => {
    rejectMisspelledOptions({ router: 1, livePuller: 2, timeoutMs: 3 }, Object.keys(KNOWN));
    const error = caught(() => rejectMisspelledOptions({ timeoutMS: 1 }, Object.keys(KNOWN)));
    expect(error).to.include({ code: "INVALID_INPUT", field: "timeoutMS", nearest: "timeoutMs" });
  });
});
