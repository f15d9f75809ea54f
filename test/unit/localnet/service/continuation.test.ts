import { expect } from "chai";

import { decodeContinuation, encodeContinuation } from "../../../../src/localnet/service/continuation.ts";
import { RefusalError } from "../../../../src/localnet/service/refusal.ts";
import type { ServiceErrorBody } from "../../../../src/protocol/serviceError.ts";
import { caught } from "../../core/refusal.ts";
import { word } from "../fixtures.ts";

const cursor = (text: string): string => Buffer.from(text).toString("base64url");

describe("continuation", () => {
  for (const time of [0, 1, 1_790_000_000_123, 999_999_999_999_999]) {
    it(`of ${time} ms stands for the row that it was made from`, () => {
      const position = { created_at: new Date(time), id: word("a") };
      expect(decodeContinuation(encodeContinuation(position))).to.deep.equal(position);
    });
  }

  it("needs no escaping in a URL", () => {
    for (const digit of "0123456789abcdef") {
      expect(encodeContinuation({ created_at: new Date(1), id: word(digit) })).to.match(/^[\w-]+$/u);
    }
  });

  const refused = [
    "",
    "not a cursor",
    cursor(`1_${word("a")}x`),
    cursor(`1_${word("a").slice(0, -1)}`),
    cursor(`x1_${word("a")}`),
    cursor(`-1_${word("a")}`),
    cursor(`_${word("a")}`),
    cursor(`1000000000000000_${word("a")}`),
    cursor(`1_${word("A")}`),
  ];
  for (const continuation of refused) {
    it(`refuses ${JSON.stringify(continuation)}`, () => {
      const error = caught(() => decodeContinuation(continuation));
      expect(error).to.be.instanceOf(RefusalError);
      const { code, status, body } = error.toJSON() as { code: string; status: number; body: ServiceErrorBody };
      expect([code, status, body.errorCode, body.errorData]).to.deep.equal([
        "REFUSED",
        400,
        "INVALID_REQUEST",
        { field: "continuation", value: continuation, cure: error.cure },
      ]);
    });
  }
});
