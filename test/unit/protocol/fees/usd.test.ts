import { expect } from "chai";
import fc from "fast-check";

import { formatUsd, parseUsd, USD_ONE_E18 } from "../../../../packages/protocol/src/fees/usd.ts";
import { malformed } from "../everyField.ts";

const parse = (text: string): bigint => parseUsd(text, "it", "a.usd");

describe("parseUsd", () => {
  const cases: [string, bigint][] = [
    ["0", 0n],
    ["-0.00", 0n],
    ["+1", USD_ONE_E18],
    ["-0.035354", -35_354n * 10n ** 12n],
    ["12345678901234567890.5", 12_345_678_901_234_567_890n * USD_ONE_E18 + USD_ONE_E18 / 2n],
    ["1e-7", 10n ** 11n],
    ["1.5E+2", 150n * USD_ONE_E18],
    ["0.0000000000000000019", 1n],
    ["-0.0000000000000000019", -1n],
    ["1e-30", 0n],
  ];
  for (const [text, usdE18] of cases) {
    it(`reads ${text}`, () => {
      expect(parse(text)).to.equal(usdE18);
    });
  }

  for (const text of ["", "-", ".5", "1.", "1,000", "$1", "NaN", "Infinity", "0x1", " 1", "1e9999"]) {
    it(`rejects ${JSON.stringify(text)}`, () => {
      const { what, path } = malformed(() => parse(text));
      expect([what, path]).to.deep.equal(["it", "a.usd"]);
    });
  }
});

describe("formatUsd", () => {
  it("writes every digit, and at least two", () => {
    expect([0n, USD_ONE_E18, -USD_ONE_E18 / 2n, 1n].map((usdE18) => formatUsd(usdE18))).to.deep.equal([
      "0.00",
      "1.00",
      "-0.50",
      "0.000000000000000001",
    ]);
    expect([formatUsd(USD_ONE_E18, 0), formatUsd(USD_ONE_E18, 4)]).to.deep.equal(["1", "1.0000"]);
  });

  it("is the inverse of parseUsd", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(20), (usdE18, digits) => {
        expect(parse(formatUsd(usdE18, digits))).to.equal(usdE18);
      }),
    );
  });
});
