import { expect } from "chai";
import { type Abi, parseAbi } from "viem";

import {
  type ConstructorArguments,
  parseArguments,
} from "../../../../../packages/crosscall/src/commands/deploy/plan.ts";
import { readArtifact } from "../../../../../packages/crosscall/src/artifacts.ts";
import { refusal } from "../../../../support/rejection.ts";

const ADDRESS = "0x1111111111111111111111111111111111111111";

function parse(constructor: string, given: Record<string, unknown>): ConstructorArguments {
  const abi: Abi = parseAbi([constructor]);
  return parseArguments({
    artifact: { ...readArtifact("proxies/Erc4626Proxy"), abi },
    given,
    defaults: {},
    at: "arguments",
    addressOf: () => ADDRESS,
  });
}

describe("parseArguments", () => {
  it("parses every kind of argument, and serializes it as JSON", () => {
    const { values, texts } = parse(
      "constructor(address router_, uint24 fee, uint256 amount, bool isOpen, bytes path, bytes32 id, string name, address[] tokens, uint8[2] pair)",
      {
        router: "someName",
        fee: 3000,
        amount: "115792089237316195423570985008687907853269984665640564039457584007913129639935",
        isOpen: true,
        path: "0xABcd",
        id: `0x${"0a".repeat(32)}`,
        name: "vault",
        tokens: [ADDRESS, "other"],
        pair: [0, "255"],
      },
    );
    expect(values).to.deep.equal([
      ADDRESS,
      3000n,
      2n ** 256n - 1n,
      true,
      "0xabcd",
      `0x${"0a".repeat(32)}`,
      "vault",
      [ADDRESS, ADDRESS],
      [0n, 255n],
    ]);
    expect(texts).to.deep.equal({
      router: ADDRESS,
      fee: "3000",
      amount: String(2n ** 256n - 1n),
      isOpen: true,
      path: "0xabcd",
      id: `0x${"0a".repeat(32)}`,
      name: "vault",
      tokens: [ADDRESS, ADDRESS],
      pair: ["0", "255"],
    });
  });

  const wrong: Record<string, [string, unknown, string, string | undefined]> = {
    "a number outside the range of its type": ["uint24", 16_777_216, "arguments.value", "16777216"],
    "a negative number": ["uint24", -1, "arguments.value", "-1"],
    "a fraction": ["uint24", 0.5, "arguments.value", "0.5"],
    "a number in hex": ["uint24", "0x10", "arguments.value", '"0x10"'],
    "a number that JSON rounded": ["uint256", 2 ** 60, "arguments.value", String(2 ** 60)],
    "text for a boolean": ["bool", "true", "arguments.value", '"true"'],
    "half a byte": ["bytes", "0x1", "arguments.value", '"0x1"'],
    "too few bytes": ["bytes4", "0x123456", "arguments.value", '"0x123456"'],
    "a number for text": ["string", 1, "arguments.value", "1"],
    "a type that no constructor of the kit has": ["int8", 1, "arguments.value", "1"],
    "a single value for a list": ["address[]", ADDRESS, "arguments.value", `"${ADDRESS}"`],
    "a list with the wrong length": ["uint8[2]", [1], "arguments.value", "[1]"],
    "an invalid item in a list": ["uint8[2]", [1, 256], "arguments.value[1]", "256"],
    nothing: ["bool", undefined, "arguments.value", undefined],
  };
  for (const [name, [type, given, field, value]] of Object.entries(wrong)) {
    it(`rejects ${name}`, () => {
      const facts = refusal(() => parse(`constructor(${type} value)`, { value: given }));
      expect(facts).to.deep.equal({ code: "INVALID_INPUT", field, value });
    });
  }
});
