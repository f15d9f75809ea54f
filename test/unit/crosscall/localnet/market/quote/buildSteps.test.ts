import { expect } from "chai";
import { decodeFunctionData, type Hex, parseAbi } from "viem";

import type { Step } from "../../../../../../packages/protocol/src/complete.ts";
import { StepSchema, TransactionDataSchema } from "../../../../../../packages/protocol/src/quote/step.ts";
import { parseData } from "../../../../../../packages/protocol/src/schema/parse.ts";
import {
  buildSteps,
  type StepParameters,
} from "../../../../../../packages/crosscall/src/localnet/market/quote/steps.ts";
import { origin, ORIGIN_ID, originEther, quote, USER, word } from "../fixtures.ts";

// ABIs written from spec 4, section 3 and EIP-20, independently of the build.
const abi = parseAbi([
  "function depositNative(address depositor, bytes32 id) payable",
  "function depositErc20(address depositor, address token, uint256 amount, bytes32 id)",
  "function approve(address spender, uint256 amount) returns (bool)",
]);

const REQUEST_ID = word("a");
const ORDER_ID = word("b");
const { depository } = origin.contracts;
const TOKEN = quote.input.currency.address;
const CHECK = { endpoint: `/intents/status/v3?requestId=${REQUEST_ID}`, method: "GET" };
const parameters: StepParameters = {
  quote,
  requestId: REQUEST_ID,
  orderId: ORDER_ID,
  inputAmount: 5_000_000n,
  allowance: 0n,
  maxFeePerGas: 30n,
  maxPriorityFeePerGas: 2n,
};
const native: StepParameters = { ...parameters, quote: { ...quote, input: originEther } };

/** Returns the steps' ids, their transactions with decoded call data, and their checks. */
function read(steps: readonly Step[]): unknown[] {
  return steps.flatMap(({ id, items }) =>
    items.map(({ data, check }) => {
      const transaction = parseData(TransactionDataSchema, data, "the step");
      const { functionName, args } = decodeFunctionData({ abi, data: transaction.data as Hex });
      return { id, transaction: { ...transaction, data: [functionName, ...args] }, check };
    }),
  );
}

const fees = { maxFeePerGas: "30", maxPriorityFeePerGas: "2" };
const approval = {
  id: "approve",
  transaction: {
    from: USER,
    to: TOKEN,
    data: ["approve", depository, 5_000_000n],
    value: "0",
    chainId: ORIGIN_ID,
    gas: "100000",
    ...fees,
  },
  check: undefined,
};
const tokenDeposit = {
  id: "deposit",
  transaction: {
    from: USER,
    to: depository,
    data: ["depositErc20", USER, TOKEN, 5_000_000n, ORDER_ID],
    value: "0",
    chainId: ORIGIN_ID,
    gas: "250000",
    ...fees,
  },
  check: CHECK,
};

describe("buildSteps", () => {
  it("approves a token amount, then deposits it, and adds a check only to the deposit", () => {
    expect(read(buildSteps(parameters))).to.deep.equal([approval, tokenDeposit]);
  });

  it("approves if the allowance is too small by one unit", () => {
    expect(read(buildSteps({ ...parameters, allowance: 4_999_999n }))).to.deep.equal([approval, tokenDeposit]);
  });

  it("omits the approval if the allowance is sufficient", () => {
    for (const allowance of [5_000_000n, 2n ** 256n - 1n]) {
      expect(read(buildSteps({ ...parameters, allowance }))).to.deep.equal([tokenDeposit]);
    }
  });

  it("deposits native currency as the transaction's value", () => {
    expect(read(buildSteps(native))).to.deep.equal([
      {
        id: "deposit",
        transaction: {
          from: USER,
          to: depository,
          data: ["depositNative", USER, ORDER_ID],
          value: "5000000",
          chainId: ORIGIN_ID,
          gas: "100000",
          ...fees,
        },
        check: CHECK,
      },
    ]);
  });

  it("returns incomplete items for the request's transactions", () => {
    for (const step of [...buildSteps(parameters), ...buildSteps(native)]) {
      expect(parseData(StepSchema, step, "the step")).to.equal(step);
      expect(step).to.include({ kind: "transaction", requestId: REQUEST_ID, depositAddress: "" });
      expect(step.items.map(({ status }) => status)).to.deep.equal(["incomplete"]);
    }
  });
});
