import { expect } from "chai";
import fc from "fast-check";
import { bytesToHex, type Hex, keccak256 as viemKeccak256 } from "viem";

import { keccak256 } from "../../../../packages/oracle/src/attest/keccak.ts";

describe("the oracle's keccak256", () => {
  it("matches viem's keccak256 for bytes of any length", () => {
    const bytes = fc.uint8Array({ maxLength: 600 });
    fc.assert(
      fc.property(bytes, (data) => {
        expect(keccak256(bytesToHex(data))).to.equal(viemKeccak256(bytesToHex(data)));
        expect(keccak256(bytesToHex(data).toUpperCase().replace("X", "x") as Hex)).to.equal(viemKeccak256(data));
      }),
    );
  });

  it("treats hex with an odd number of digits as viem does", () => {
    for (const data of ["0xabc", "0xabzz"] as const) expect(keccak256(data)).to.equal(viemKeccak256(data));
  });
});
