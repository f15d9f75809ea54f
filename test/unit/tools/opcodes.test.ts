import { expect } from "chai";

import { opcodesAfterLondon } from "../../../tools/london/opcodes.ts";

const METADATA = "a164736f6c6343000825000a";

describe("opcodesAfterLondon", () => {
  it("lists each opcode that London lacks", () => {
    expect([...opcodesAfterLondon("0x5f5c5d5e494a", "0x")]).to.deep.equal([
      "PUSH0",
      "TLOAD",
      "TSTORE",
      "MCOPY",
      "BLOBHASH",
      "BLOBBASEFEE",
    ]);
  });

  it("skips push data, even if truncated", () => {
    expect([...opcodesAfterLondon(`0x605f615c5d7f${"5e".repeat(32)}625f`, "0x")]).to.deep.equal([]);
  });

  it("skips the metadata of the contract and of contracts that it creates, but no code after it", () => {
    // Unless skipped, the metadata and the code after it would become part of the push before it.
    const code = `0x7f${METADATA}5f${METADATA}`;
    expect([...opcodesAfterLondon(code, `0x00${METADATA}`)]).to.deep.equal(["PUSH0"]);
    expect([...opcodesAfterLondon(`0x6001${METADATA}`, `0x00${METADATA}`)]).to.deep.equal([]);
  });

  it("treats the last bytes of code without metadata as code", () => {
    expect([...opcodesAfterLondon("0x005f", "0x005f")]).to.deep.equal(["PUSH0"]);
  });
});
