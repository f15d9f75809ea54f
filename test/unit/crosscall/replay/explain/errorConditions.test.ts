import { expect } from "chai";
import { type Abi, type AbiParameter, encodeErrorResult, parseAbiItem, zeroAddress } from "viem";

import { KNOWN_ERRORS } from "../../../../../packages/protocol/src/reverts/knownErrors.ts";
import {
  conditionOfError,
  type ErrorCondition,
} from "../../../../../packages/crosscall/src/replay/explain/errorConditions.ts";
import { createAbiIndex } from "../../../../../packages/crosscall/src/replay/trace/abiIndex.ts";
import { TOKEN, USER } from "../trace/frames.ts";

type AbiError = Extract<Abi[number], { readonly type: "error" }>;

/** Returns the arguments 2, 3, and so on, or descending ones, so that each number identifies its position. */
const sampleOf = ({ type }: AbiParameter, place: number, isDescending = false): unknown => {
  if (type === "address") return USER;
  if (type === "bytes32") return `0x${"11".repeat(32)}`;
  if (type === "bytes4") return "0x12345678";
  return type.startsWith("uint") ? BigInt(isDescending ? 9 - place : place + 2) : "0x";
};

const conditionOf = (words: string, isDescending = false) => {
  const abi = parseAbiItem(`error ${words}`) as AbiError;
  const args = abi.inputs.map((input, place) => sampleOf(input, place, isDescending));
  const data = encodeErrorResult({ abi: [abi], args } as never);
  const item = createAbiIndex().readError(data);
  return item && conditionOfError(item, { contract: TOKEN, value: 77n, timestamp: 100n });
};

describe("conditionOfError", () => {
  it("reads the numbers from each error that contains any", () => {
    const words = [
      ...Object.values(KNOWN_ERRORS).flat(),
      "ApprovalNotZero(uint256 current, uint256 wanted)",
      "InsufficientGas(uint256 available, uint256 needed)",
    ];
    const conditions = words.flatMap((each) => {
      const condition = conditionOf(each) ?? conditionOf(each, true);
      return condition === undefined ? [] : [{ each, condition }];
    });
    for (const { each, condition } of conditions) {
      expect([typeof condition.needed, typeof condition.had], each).to.deep.equal(["bigint", "bigint"]);
      expect(
        JSON.stringify(Object.values(condition), (_, value: unknown) => value?.toString()),
        each,
      ).to.not.contain("undefined");
    }
    expect(conditions.length).to.equal(33);
  });

  const cases: readonly (readonly [string, ErrorCondition])[] = [
    [
      "ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
      { kind: "balance", account: USER, needed: 4n, had: 3n, currency: TOKEN },
    ],
    ["InsufficientInput(uint256 amountIn, uint256 minimumIn)", { kind: "proxyInput", needed: 3n, had: 2n }],
    [
      "InsufficientOutput(address token, uint256 amount, uint256 minimumOut)",
      { kind: "output", needed: 4n, had: 3n, currency: USER },
    ],
    [
      "V4TooMuchRequested(uint256 maxAmountInRequested, uint256 amountRequested)",
      { kind: "swapInput", needed: 3n, had: 2n, currency: undefined },
    ],
    ["InsufficientGas(uint256 available, uint256 needed)", { kind: "programGas", needed: 3n, had: 2n }],
    ["SignatureExpired(uint256 signatureDeadline)", { kind: "deadline", needed: 100n, had: 2n }],
    ["Purchase_WrongPrice(uint256 correctPrice)", { kind: "payment", needed: 2n, had: 77n, currency: zeroAddress }],
    ["InvalidTime(uint256 startTime, uint256 endTime)", { kind: "endTime", needed: 100n, had: 3n }],
    [
      "NotActive(uint256 currentTimestamp, uint256 startTimestamp, uint256 endTimestamp)",
      { kind: "startTime", needed: 3n, had: 2n },
    ],
  ];
  it("reads no condition that the numbers of the error meet, because another contract may order them differently", () => {
    expect(conditionOf("InsufficientOutput(uint256 amountOut, uint256 minimumOut)", true)).to.equal(undefined);
    expect(conditionOf("InsufficientBalance(uint256 balance, uint256 needed)", true)).to.equal(undefined);
    expect(conditionOf("IncorrectPayment(uint256 got, uint256 want)", true)).to.include({ needed: 8n, had: 9n });
  });

  for (const [error, condition] of cases) {
    it(`reads ${error}`, () => {
      expect(conditionOf(error)).to.deep.equal(condition);
    });
  }
});
