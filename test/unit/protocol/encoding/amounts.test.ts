import { expect } from "chai";
import { BaseError, RpcRequestError } from "viem";

import {
  BPS_PER_WHOLE,
  bpsOf,
  formatAmount,
  mulDiv,
  mulDivUp,
  parseAmount,
} from "../../../../packages/protocol/src/encoding/amounts.ts";
import { compact } from "../../../../packages/protocol/src/core/compact.ts";
import { shortReason } from "../../../../packages/protocol/src/core/printable.ts";
import { refusal } from "../../../support/rejection.ts";

const UINT256_MAX = 115792089237316195423570985008687907853269984665640564039457584007913129639935n;

describe("parseAmount", () => {
  for (const amount of [0n, 1n, 10n, 1_000_000n, 2n ** 64n, UINT256_MAX]) {
    it(`accepts ${amount}`, () => {
      expect(parseAmount(amount.toString(), "amount")).to.equal(amount);
    });
  }

  const refused: Record<string, [unknown, string | undefined]> = {
    "one above 2^256 - 1": [(UINT256_MAX + 1n).toString(), `"${UINT256_MAX + 1n}"`],
    "79 digits": ["1".repeat(79), `"${"1".repeat(79)}"`],
    "no digits": ["", '""'],
    "a sign": ["-1", '"-1"'],
    "a plus": ["+1", '"+1"'],
    "a leading zero": ["01", '"01"'],
    "two zeros": ["00", '"00"'],
    "a fraction": ["1.0", '"1.0"'],
    "an exponent": ["1e6", '"1e6"'],
    hexadecimal: ["0x10", '"0x10"'],
    "a space before": [" 1", '" 1"'],
    "a line end": ["1\n", '"1\\n"'],
    "a separator": ["1_000", '"1_000"'],
    "digits of another script": ["١", '"١"'],
    "a number": [1, "1"],
    "a bigint": [1n, "1"],
    null: [null, "null"],
    nothing: [undefined, undefined],
  };
  for (const [name, [given, value]] of Object.entries(refused)) {
    it(`rejects ${name} and reports the field`, () => {
      expect(refusal(() => parseAmount(given, "txs[1].value"))).to.deep.equal({
        code: "INVALID_INPUT",
        field: "txs[1].value",
        value,
      });
    });
  }
});

describe("formatAmount", () => {
  const cases: [bigint, number, string][] = [
    [0n, 18, "0"],
    [1n, 0, "1"],
    [1n, 18, "0.000000000000000001"],
    [1_500_000n, 6, "1.5"],
    [1_000_000n, 6, "1"],
    [100n, 0, "100"],
    [-1_250_000n, 6, "-1.25"],
    [UINT256_MAX, 18, "115792089237316195423570985008687907853269984665640564039457.584007913129639935"],
  ];
  for (const [amount, decimals, text] of cases) {
    it(`formats ${amount} with ${decimals} decimals as ${text}`, () => {
      expect(formatAmount(amount, decimals)).to.equal(text);
    });
  }
});

describe("mulDiv and mulDivUp", () => {
  const cases: [bigint, bigint, bigint, bigint, bigint][] = [
    [0n, 7n, 3n, 0n, 0n],
    [1n, 1n, 3n, 0n, 1n],
    [2n, 1n, 3n, 0n, 1n],
    [3n, 1n, 3n, 1n, 1n],
    [10n, 7n, 3n, 23n, 24n],
    [9n, 7n, 3n, 21n, 21n],
    [UINT256_MAX, UINT256_MAX, UINT256_MAX, UINT256_MAX, UINT256_MAX],
  ];
  for (const [amount, numerator, denominator, down, up] of cases) {
    it(`round ${amount} * ${numerator} / ${denominator} down and up`, () => {
      expect([mulDiv(amount, numerator, denominator), mulDivUp(amount, numerator, denominator)]).to.deep.equal([
        down,
        up,
      ]);
    });
  }
});

describe("bpsOf", () => {
  it("returns a share of 10,000, rounded down", () => {
    expect(BPS_PER_WHOLE).to.equal(10_000n);
    expect(bpsOf(10_000n, 1n)).to.equal(1n);
    expect(bpsOf(9_999n, 1n)).to.equal(0n);
    expect(bpsOf(19_999n, 1n)).to.equal(1n);
    expect(bpsOf(1_000_000n, 25n)).to.equal(2_500n);
    expect(bpsOf(123n, 10_000n)).to.equal(123n);
  });
});

describe("compact", () => {
  it("removes only undefined fields", () => {
    const absent: string | undefined = undefined;
    expect(compact({ name: "a", absent, empty: "", zero: 0n, none: null })).to.deep.equal({
      name: "a",
      empty: "",
      zero: 0n,
      none: null,
    });
  });
});

describe("shortReason", () => {
  const payload = `{"method":"eth_sendTransaction","params":[{"data":"0x${"ab".repeat(2_000)}"}]}`;

  it("returns the short message of viem and ethers, without the request", () => {
    const rpc = new RpcRequestError({
      body: { payload },
      error: { code: -32_000, message: "no funds" },
      url: "http://node",
    });
    expect(shortReason(rpc)).to.equal("RPC Request failed.");
    expect(shortReason(Object.assign(new Error(payload), { shortMessage: "insufficient funds" }))).to.equal(
      "insufficient funds",
    );
    expect(shortReason(new BaseError("too low"))).to.equal("too low");
  });

  it("returns the first line of any other error, with at most 200 characters", () => {
    expect(shortReason(new Error(`no\n${payload}`))).to.equal("no");
    expect(shortReason(new Error(payload))).to.have.length(200);
    expect(shortReason("text")).to.equal("text");
  });
});
