import { expect } from "chai";
import { encodeErrorResult, parseAbi } from "viem";

import { decodeRevert } from "../../../../../../packages/crosscall/src/localnet/service/gasless/simulateExecution.ts";

const ERRORS = parseAbi([
  "error Error(string)",
  "error Panic(uint256)",
  "error InvalidSignature()",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error Unheard(uint256 seen)",
]);

const ACCOUNT = "0x000000000000000000000000000000000000dEaD";

describe("decodeRevert", () => {
  it("returns an empty revert if there is no data", () => {
    expect(decodeRevert("0x")).to.deep.equal({
      type: "empty",
      label: "EMPTY_REVERT",
      message: "The call failed without a reason.",
    });
  });

  it("returns the reason string, and a label derived from it", () => {
    const data = encodeErrorResult({ abi: ERRORS, errorName: "Error", args: ["Too little received"] });
    expect(decodeRevert(data)).to.deep.equal({
      type: "errorString",
      label: "TOO_LITTLE_RECEIVED",
      message: "Too little received",
      selector: "0x08c379a0",
    });
  });

  it("returns the meaning of a panic", () => {
    const data = encodeErrorResult({ abi: ERRORS, errorName: "Panic", args: [0x11n] });
    expect(decodeRevert(data)).to.deep.equal({
      type: "panic",
      label: "PANIC",
      message: "Panic(0x11): arithmetic overflow",
      selector: "0x4e487b71",
    });
  });

  it("returns the name and the arguments of a known error", () => {
    expect(decodeRevert(encodeErrorResult({ abi: ERRORS, errorName: "InvalidSignature" }))).to.deep.equal({
      type: "customError",
      label: "INVALID_SIGNATURE",
      message: "InvalidSignature()",
      selector: "0x8baa579f",
      name: "InvalidSignature",
      args: {},
      rawArgsHex: "0x",
    });
    const data = encodeErrorResult({
      abi: ERRORS,
      errorName: "ERC20InsufficientBalance",
      args: [ACCOUNT, 1n, 2n],
    });
    expect(decodeRevert(data)).to.deep.include({
      label: "ERC20_INSUFFICIENT_BALANCE",
      args: { sender: ACCOUNT, balance: "1", needed: "2" },
      rawArgsHex: `0x${data.slice(10)}`,
    });
  });

  it("returns the selector of an unknown error, or of malformed arguments", () => {
    const data = encodeErrorResult({ abi: ERRORS, errorName: "Unheard", args: [7n] });
    expect(decodeRevert(data)).to.deep.include({
      type: "unknownCustomError",
      label: `UNKNOWN_CUSTOM_ERROR_${data.slice(0, 10)}`,
      selector: data.slice(0, 10),
      rawArgsHex: `0x${data.slice(10)}`,
    });
    expect(decodeRevert("0xe450d38c01")).to.deep.include({ label: "UNKNOWN_CUSTOM_ERROR_0xe450d38c" });
  });
});
