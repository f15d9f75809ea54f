import { expect } from "chai";

import type { ServiceErrorBody } from "../../../../../../packages/protocol/src/errors/serviceErrorBody.ts";
import { RejectionError } from "../../../../../../packages/crosscall/src/localnet/market/rejection.ts";
import {
  type ContinuedQuery,
  decodeContinuation,
  encodeContinuation,
} from "../../../../../../packages/crosscall/src/localnet/service/listing/listing.ts";
import { caught } from "../../../../../support/rejection.ts";
import { word } from "../../market/fixtures.ts";

const byTime: ContinuedQuery = { sortBy: "createdAt", canonical: "by time" };
const byWorth: ContinuedQuery = { sortBy: "amountUsd", canonical: "by worth" };
const position = { sortValue: "1790000000123", id: word("a") };
const cursor = encodeContinuation(position, byTime);

describe("a pagination cursor", () => {
  for (const sortValue of ["0", "1", "1790000000123", "253402300799999"]) {
    it(`identifies its row by ${sortValue} ms`, () => {
      const made = { sortValue, id: word("a") };
      expect(decodeContinuation(encodeContinuation(made, byTime), byTime)).to.deep.equal(made);
    });
  }

  for (const sortValue of ["0.000000", "12.500000", `1${"0".repeat(70)}.000001`]) {
    it(`identifies its row by ${sortValue} dollars`, () => {
      const made = { sortValue, id: word("a") };
      expect(decodeContinuation(encodeContinuation(made, byWorth), byWorth)).to.deep.equal(made);
    });
  }

  it("needs no escaping in a URL", () => {
    for (const digit of "0123456789abcdef") {
      expect(encodeContinuation({ sortValue: "1", id: word(digit) }, byTime)).to.match(/^[\w-]+$/u);
    }
  });

  const refuse = (continuation: string, query: ContinuedQuery): void => {
    const error = caught(() => decodeContinuation(continuation, query));
    expect(error).to.be.instanceOf(RejectionError);
    const { code, status, body } = error.toJSON() as { code: string; status: number; body: ServiceErrorBody };
    expect([code, status, body.errorCode, body.field, body.hint]).to.deep.equal([
      "REFUSED",
      400,
      "INVALID_REQUEST",
      "continuation",
      error.hint,
    ]);
  };

  it("is rejected for any other query", () => {
    refuse(cursor, { ...byTime, canonical: "another" });
  });

  it("is rejected if any character is changed, added or removed", () => {
    for (let at = 0; at < cursor.length; at += 1) {
      refuse(`${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`, byTime);
    }
    for (const continuation of ["", "abc", "not a cursor", `${cursor}A`, `${cursor}=`, `${cursor} `, cursor.slice(1)]) {
      refuse(continuation, byTime);
    }
  });

  it("is rejected if its time is out of range, even with a valid digest", () => {
    for (const sortValue of ["253402300800000", "-1", "1.5", "9".repeat(80)]) {
      refuse(encodeContinuation({ sortValue, id: word("a") }, byTime), byTime);
    }
  });
});
