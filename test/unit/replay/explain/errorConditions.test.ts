import { expect } from "chai";
import { type Abi, type AbiParameter, encodeErrorResult, parseAbiItem, zeroAddress } from "viem";

import { KNOWN_ERRORS } from "../../../../sdk/src/protocol/reverts/knownErrors.ts";
import { conditionOfError } from "../../../../src/replay/explain/errorConditions.ts";
import { createAbiIndex } from "../../../../src/replay/trace/abiIndex.ts";
import { TOKEN, USER } from "../trace/frames.ts";

type AbiError = Extract<Abi[number], { readonly type: "error" }>;

/** Arguments that count up from 2, so that each number tells which one it is. */
const sampleOf = ({ type }: AbiParameter, place: number): unknown => {
  if (type === "address") return USER;
  if (type === "bytes32") return `0x${"11".repeat(32)}`;
  if (type === "bytes4") return "0x12345678";
  return type.startsWith("uint") ? BigInt(place + 2) : "0x";
};

const tell = (words: string) => {
  const abi = parseAbiItem(`error ${words}`) as AbiError;
  const data = encodeErrorResult({ abi: [abi], args: abi.inputs.map(sampleOf) } as never);
  const item = createAbiIndex().readError(data);
  return item && conditionOfError(item, { contract: TOKEN, value: 77n, timestamp: 100n });
};

describe("conditionOfError", () => {
  it("reads numbers from each error that carries some", () => {
    const words = [
      ...Object.values(KNOWN_ERRORS).flat(),
      "ApprovalNotZero(uint256 current, uint256 wanted)",
      "InsufficientGas(uint256 available, uint256 needed)",
    ];
    const told = words.flatMap((each) => {
      const condition = tell(each);
      return condition === undefined ? [] : [{ each, condition }];
    });
    for (const { each, condition } of told) {
      expect([typeof condition.needed, typeof condition.had], each).to.deep.equal(["bigint", "bigint"]);
      expect(condition.what, each).to.not.contain("undefined");
    }
    expect(told.length).to.equal(33);
  });

  const cases: readonly (readonly [string, string, bigint, bigint, unknown])[] = [
    ["ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)", `balance of ${USER}`, 4n, 3n, TOKEN],
    ["InsufficientInput(uint256 amountIn, uint256 minimumIn)", "amount that arrives", 3n, 2n, "input of the proxy"],
    ["InsufficientOutput(address token, uint256 amount, uint256 minimumOut)", "what the recipient gains", 4n, 3n, USER],
    [
      "V4TooMuchRequested(uint256 maxAmountInRequested, uint256 amountRequested)",
      "input of the swap",
      3n,
      2n,
      undefined,
    ],
    ["InsufficientGas(uint256 available, uint256 needed)", "gas for the program", 3n, 2n, undefined],
    ["SignatureExpired(uint256 signatureDeadline)", "deadline", 100n, 2n, undefined],
    ["Purchase_WrongPrice(uint256 correctPrice)", "payment", 2n, 77n, zeroAddress],
    ["InvalidTime(uint256 startTime, uint256 endTime)", "end time", 100n, 3n, undefined],
    [
      "NotActive(uint256 currentTimestamp, uint256 startTimestamp, uint256 endTimestamp)",
      "start time",
      3n,
      2n,
      undefined,
    ],
  ];
  for (const [words, what, needed, had, currency] of cases) {
    it(`reads ${words}`, () => {
      expect(tell(words)).to.deep.equal({ what, needed, had, currency });
    });
  }
});
