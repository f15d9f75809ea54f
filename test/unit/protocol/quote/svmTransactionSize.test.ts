import { expect } from "chai";

import {
  measureSvmTransaction,
  SVM_COMPUTE_BUDGET_BYTES,
  SVM_QUOTED_MAX_BYTES,
  SVM_TRANSACTION_MAX_BYTES,
} from "../../../../packages/protocol/src/quote/svmTransactionSize.ts";
import { refusal } from "../../../support/refusal.ts";

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(7);
const text = (length: number): string => Buffer.from(bytes(length)).toString("base64");

describe("measureSvmTransaction", () => {
  it("has the limits of the specification", () => {
    expect([SVM_TRANSACTION_MAX_BYTES, SVM_COMPUTE_BUDGET_BYTES, SVM_QUOTED_MAX_BYTES]).to.deep.equal([1232, 60, 1172]);
  });

  const cases: [number, boolean, boolean, number][] = [
    [1, true, true, 1171],
    [1172, true, true, 0],
    [1173, false, true, -1],
    [1232, false, true, -60],
    [1233, false, false, -61],
  ];
  for (const [sizeBytes, fitsQuote, fitsChain, headroomBytes] of cases) {
    it(`measures ${sizeBytes} bytes, as bytes and as base64`, () => {
      const size = { sizeBytes, fitsQuote, fitsChain, headroomBytes };
      expect(measureSvmTransaction(bytes(sizeBytes))).to.deep.equal(size);
      expect(measureSvmTransaction(text(sizeBytes))).to.deep.equal(size);
    });
  }

  it("adds the size of each part", () => {
    expect(measureSvmTransaction(text(1170), [bytes(2), text(1)])).to.deep.equal({
      sizeBytes: 1173,
      fitsQuote: false,
      fitsChain: true,
      headroomBytes: -1,
    });
  });

  it("rejects text that is not base64, with the field", () => {
    expect(refusal(() => measureSvmTransaction("a"))).to.deep.include({ code: "INVALID_INPUT", field: "transaction" });
    expect(refusal(() => measureSvmTransaction("", ["", "?"]))).to.deep.include({ field: "added[1]" });
  });
});
