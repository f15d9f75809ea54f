import { expect } from "chai";

import { parseExchangeTransfer } from "../../../../packages/protocol/src/quote/exchangeTransfer.ts";
import { malformed } from "../everyField.ts";

const REQUEST_ID = `0x${"aB".repeat(32)}`;
const path = "steps[0].items[0].data";
const parameters = {
  toAccountIndex: 281_474,
  assetIndex: 3,
  fromRouteType: 0,
  toRouteType: 1,
  amount: Number.MAX_SAFE_INTEGER,
  usdcFee: 3_000_000,
  memo: REQUEST_ID,
};
const dataWith = (changes: object): unknown => ({
  action: { type: "transfer", parameters: { ...parameters, ...changes } },
});
const parse = (data: unknown) => parseExchangeTransfer({ data, requestId: REQUEST_ID, path });

describe("parseExchangeTransfer", () => {
  it("parses the wire's numbers as amounts", () => {
    expect(parse(dataWith({}))).to.deep.equal({
      toAccountIndex: 281_474n,
      assetIndex: 3n,
      fromRouteType: 0,
      toRouteType: 1,
      amount: 9_007_199_254_740_991n,
      usdcFee: 3_000_000n,
      memo: REQUEST_ID,
    });
  });

  it("accepts the memo in any case, with and without 0x", () => {
    for (const memo of [REQUEST_ID.toLowerCase(), REQUEST_ID.slice(2)]) {
      expect(parse(dataWith({ memo })).memo).to.equal(memo);
    }
  });

  it("accepts the orderId as the memo", () => {
    const memo = `0x${"cd".repeat(32)}`;
    const parameters = { data: dataWith({ memo }), requestId: REQUEST_ID, path };
    expect(parseExchangeTransfer({ ...parameters, orderId: memo.toUpperCase().replace("0X", "0x") }).memo).to.equal(
      memo,
    );
    expect(malformed(() => parseExchangeTransfer({ ...parameters, orderId: `0x${"ce".repeat(32)}` })).path).to.equal(
      `${path}.action.parameters.memo`,
    );
  });

  const refused: Record<string, [unknown, string]> = {
    "a memo of another request": [dataWith({ memo: `0x${"ab".repeat(31)}ac` }), ".action.parameters.memo"],
    "an empty memo": [dataWith({ memo: "" }), ".action.parameters.memo"],
    "an amount that a number cannot hold": [
      JSON.parse(JSON.stringify(dataWith({})).replace("9007199254740991", "9007199254740993")),
      ".action.parameters.amount",
    ],
    "an amount below zero": [dataWith({ amount: -1 }), ".action.parameters.amount"],
    "an amount with a fraction": [dataWith({ amount: 0.5 }), ".action.parameters.amount"],
    "an amount as text": [dataWith({ amount: "1" }), ".action.parameters.amount"],
    "a fee that a number cannot hold": [dataWith({ usdcFee: 2 ** 53 }), ".action.parameters.usdcFee"],
    "another action": [{ action: { type: "withdraw", parameters } }, ".action.type"],
    "no data": [undefined, ""],
  };
  for (const [name, [data, at]] of Object.entries(refused)) {
    it(`rejects ${name}`, () => {
      const error = malformed(() => parse(data));
      expect([error.what, error.path]).to.deep.equal(["the quote", `${path}${at}`]);
    });
  }
});
