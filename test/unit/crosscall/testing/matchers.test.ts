import { AssertionError, expect, use } from "chai";
import { type Address, type TransactionReceipt, zeroAddress, zeroHash } from "viem";

import { SOLVER_ADDRESS } from "../../../../packages/protocol/src/chains/serviceAddresses.ts";
import { ROUTER_ADDRESS } from "../../../../packages/protocol/src/generations/routers.ts";
import type { ReplayFinding, BalanceChange } from "../../../../packages/crosscall/src/replay/replayReport.ts";
import type { Verdict } from "../../../../packages/crosscall/src/replay/verdict.ts";
import type { Fill } from "../../../../packages/crosscall/src/testing/runFill.ts";
import { crosscallMatchers } from "../../../../packages/crosscall/src/testing/matchers.ts";

use(crosscallMatchers);

const USER: Address = "0x1111111111111111111111111111111111111111";
const OTHER: Address = "0x2222222222222222222222222222222222222222";
const DOLLAR: Address = "0x3333333333333333333333333333333333333333";
const VAULT: Address = "0x4444444444444444444444444444444444444444";
const PROXY: Address = "0x5555555555555555555555555555555555555555";

const FAILURE: Verdict = {
  outcome: "failure",
  failReason: "TOO_LITTLE_RECEIVED",
  txIndex: 1,
  error: "InsufficientInput(5, 6)",
  condition: { kind: "input", needed: 6n, had: 5n, currency: undefined },
  path: [1],
  hint: "Ask for less.",
};

const balance = (account: Address, currency: Address, before: bigint, after: bigint): BalanceChange => ({
  account,
  currency,
  before,
  after,
});

const leftover = (code: ReplayFinding["code"], severity: ReplayFinding["severity"], reason: string): ReplayFinding => ({
  code,
  severity,
  txIndex: undefined,
  reason,
  hint: "Sweep it.",
});

/** Returns a fill, with the given changes, in which 1,000 dollars buy the user 990 shares. */
function fillWith(parts: Partial<Pick<Fill, "verdict" | "balances" | "leftovers">> = {}): Fill {
  return {
    plan: {
      chainId: 10,
      router: ROUTER_ADDRESS,
      routerVersion: "v3",
      solver: SOLVER_ADDRESS,
      currency: DOLLAR,
      minimumAmount: 1_000n,
      expectedAmount: 1_000n,
      calls: [],
      refundTo: USER,
      nftRecipient: USER,
      recipient: USER,
      orderId: zeroHash,
    },
    amount: 1_000n,
    verdict: { outcome: "success" },
    receipt: {} as TransactionReceipt,
    trace: {
      kind: "CALL",
      from: SOLVER_ADDRESS,
      to: ROUTER_ADDRESS,
      value: 0n,
      gas: 1n,
      gasUsed: 1n,
      input: "0x",
      output: "0x",
      error: undefined,
      errorText: undefined,
      calls: [],
      logs: [],
    },
    balances: [
      balance(USER, VAULT, 10n, 1_000n),
      balance(ROUTER_ADDRESS, DOLLAR, 1_000n, 0n),
      balance(VAULT, DOLLAR, 0n, 1_000n),
    ],
    allowances: [],
    proxies: [PROXY],
    leftovers: [],
    ...parts,
  };
}

/** Returns the assertion error message that a statement throws. */
async function rejectionOf(statement: PromiseLike<unknown>): Promise<string> {
  try {
    await statement;
  } catch (error) {
    if (error instanceof AssertionError) return error.message;
    throw error;
  }
  throw new Error("it holds");
}

describe("deliver(token, amount).to(account)", () => {
  it("compares the change in the account's token balance", async () => {
    await expect(fillWith()).to.deliver(VAULT, 990n).to(USER);
    expect(await rejectionOf(expect(fillWith()).to.deliver(VAULT, 1_000n).to(USER))).to.equal(
      `expected the fill with 1000 to deliver 1000 of ${VAULT} to ${USER}, ` +
        `but it delivered 990 (10 less); it brought 990 to ${USER}`,
    );
    expect(await rejectionOf(expect(fillWith()).to.deliver(VAULT, 989n).to(USER))).to.include("(1 more)");
  });

  it("accepts any amount that is at least the minimum", async () => {
    await expect(fillWith()).to.deliver(VAULT, { atLeast: 990n }).to(USER);
    await expect(fillWith()).to.deliver(VAULT, { atLeast: 1n }).to(USER);
    expect(await rejectionOf(expect(fillWith()).to.deliver(VAULT, { atLeast: 991n }).to(USER))).to.include(
      "at least 991",
    );
  });

  it("counts native currency under the zero address, and a spent amount as negative", async () => {
    const fill = fillWith({ balances: [balance(USER, zeroAddress, 5n, 2n)] });
    await expect(fill).to.deliver(zeroAddress, -3n).to(USER);
    expect(await rejectionOf(expect(fill).to.deliver(zeroAddress, 1n).to(USER))).to.include("1 of native");
  });

  it("reports zero for an account that is not part of the fill", async () => {
    await expect(fillWith()).to.deliver(VAULT, 0n).to(OTHER);
    expect(await rejectionOf(expect(fillWith()).to.deliver(OTHER, 1n).to(USER))).to.include("no account received any");
  });

  it("accepts ethers and viem contracts and signers as addresses", async () => {
    await expect(fillWith())
      .to.deliver({ address: VAULT }, 990n)
      .to({ getAddress: () => Promise.resolve(USER) });
  });

  it("can be negated with .not", async () => {
    await expect(fillWith()).not.to.deliver(VAULT, 1_000n).to(USER);
    await expect(fillWith()).to.not.deliver(VAULT, { atLeast: 991n }).to(USER);
    expect(await rejectionOf(expect(fillWith()).not.to.deliver(VAULT, 990n).to(USER))).to.equal(
      `expected the fill with 1000 not to deliver 990 of ${VAULT} to ${USER}, but it delivered 990`,
    );
  });

  it("fails if the fill failed", async () => {
    const fill = fillWith({ verdict: FAILURE, balances: [] });
    const seen =
      "but it fails with TOO_LITTLE_RECEIVED at tx 1: InsufficientInput(5, 6) (input: needed 6, had 5). Ask for less.";
    expect(await rejectionOf(expect(fill).to.deliver(VAULT, 0n).to(USER))).to.include(seen);
    expect(await rejectionOf(expect(fill).not.to.deliver(VAULT, 990n).to(USER))).to.include(seen);
  });

  it("reports if the numbers of a failed fill are uncertain", async () => {
    const cause = "if the contract is from Kit, input: needed 6, had 5";
    const explanation = { kind: "slippage", cause, isCertain: false, source: undefined } as const;
    const fill = fillWith({ verdict: { ...FAILURE, explanation } });
    expect(await rejectionOf(expect(fill).to.deliver(VAULT, 0n).to(USER))).to.include(
      `InsufficientInput(5, 6) (${cause}). Ask for less.`,
    );
  });

  it("requires an account", async () => {
    const statement = expect(fillWith()).to.deliver(VAULT, 990n) as unknown as PromiseLike<unknown>;
    expect(await rejectionOf(statement)).to.include(".to(account)");
  });
});

describe("leaveNothingBehind()", () => {
  it("passes if the router and the proxies keep nothing", async () => {
    await expect(fillWith()).to.leaveNothingBehind();
  });

  for (const left of [
    leftover("LEFT_TOKENS", "error", "5 stay on the router"),
    leftover("LEFT_TOKENS", "warning", "5 stay on a proxy"),
    leftover("LEFT_ALLOWANCE", "warning", "an allowance"),
  ]) {
    it(`reports that ${left.reason}`, async () => {
      const fill = fillWith({ leftovers: [left] });
      expect(await rejectionOf(expect(fill).to.leaveNothingBehind())).to.equal(
        `expected the fill with 1000 to leave nothing behind, but ${left.reason}`,
      );
      await expect(fill).not.to.leaveNothingBehind();
    });
  }

  it("tolerates rounding remainders on a proxy", async () => {
    await expect(
      fillWith({ leftovers: [leftover("LEFT_TOKENS", "note", "2 stay on a proxy")] }),
    ).to.leaveNothingBehind();
  });

  it("can be negated with .not", async () => {
    expect(await rejectionOf(expect(fillWith()).not.to.leaveNothingBehind())).to.equal(
      `expected the fill with 1000 to leave something behind, but ${ROUTER_ADDRESS}, ${PROXY} keep no funds`,
    );
  });

  it("fails if the fill failed", async () => {
    const fill = fillWith({ verdict: FAILURE });
    expect(await rejectionOf(expect(fill).to.leaveNothingBehind())).to.include("it fails with");
    expect(await rejectionOf(expect(fill).not.to.leaveNothingBehind())).to.include("it fails with");
  });
});

describe("failWith(failReason)", () => {
  const failing = fillWith({ verdict: FAILURE });

  it("compares the failReason", async () => {
    await expect(failing).to.failWith("TOO_LITTLE_RECEIVED");
    expect(await rejectionOf(expect(failing).to.failWith("SLIPPAGE"))).to.equal(
      "expected the fill with 1000 to fail with SLIPPAGE, " +
        "but it fails with TOO_LITTLE_RECEIVED at tx 1: InsufficientInput(5, 6) (input: needed 6, had 5). Ask for less.",
    );
    expect(await rejectionOf(expect(fillWith()).to.failWith("SLIPPAGE"))).to.equal(
      "expected the fill with 1000 to fail with SLIPPAGE, but it works",
    );
  });

  it("can be negated with .not", async () => {
    await expect(failing).not.to.failWith("SLIPPAGE");
    await expect(fillWith()).not.to.failWith("SLIPPAGE");
    expect(await rejectionOf(expect(failing).not.to.failWith("TOO_LITTLE_RECEIVED"))).to.include("not to fail with");
  });

  it("checks the failed call with atTx", async () => {
    await expect(failing).to.failWith("TOO_LITTLE_RECEIVED").atTx(1);
    expect(await rejectionOf(expect(failing).to.failWith("TOO_LITTLE_RECEIVED").atTx(0))).to.equal(
      "expected the fill with 1000 to fail at tx 0, " +
        "but it fails with TOO_LITTLE_RECEIVED at tx 1: InsufficientInput(5, 6) (input: needed 6, had 5). Ask for less.",
    );
    expect(await rejectionOf(expect(failing).to.failWith("SLIPPAGE").atTx(1))).to.include("to fail with SLIPPAGE");
    const none = fillWith({ verdict: { ...FAILURE, txIndex: undefined } });
    expect(await rejectionOf(expect(none).to.failWith("TOO_LITTLE_RECEIVED").atTx(0))).to.include("outside of txs: ");
  });

  it("rejects atTx after .not, or without failWith", () => {
    expect(() => expect(failing).not.to.failWith("SLIPPAGE").atTx(1)).to.throw(AssertionError, "is ambiguous");
    expect(() => (expect(failing) as Chai.FillFailure).atTx(1)).to.throw(AssertionError, "must follow failWith");
  });

  it("accepts only the service's failReasons", () => {
    expect(() => expect(failing).to.failWith("SLIPAGE" as "SLIPPAGE"))
      .to.throw()
      .include({ code: "INVALID_INPUT", field: "failReason", value: '"SLIPAGE"' });
  });
});

describe("every matcher", () => {
  it("waits for the fill", async () => {
    const later = Promise.resolve(fillWith());
    await expect(later).to.deliver(VAULT, 990n).to(USER);
    await expect(later).to.leaveNothingBehind();
    await expect(later).not.to.failWith("SLIPPAGE");
    const failure = new Error("no node");
    const broken: unknown = await expect(Promise.reject(failure))
      .to.leaveNothingBehind()
      .catch((error: unknown) => error);
    expect(broken).to.equal(failure);
  });

  it("can be chained with other matchers", async () => {
    await expect(fillWith()).to.deliver(VAULT, 990n).to(USER).and.to.leaveNothingBehind();
    await expect(fillWith()).to.deliver(VAULT, 990n).to(USER).to.leaveNothingBehind();
    const chain = expect(fillWith()).to.deliver(VAULT, 1n).to(USER).and.to.leaveNothingBehind();
    expect(await rejectionOf(chain)).to.include("to deliver 1");
    // Checks that a later matcher does not change an earlier one.
    await expect(fillWith()).to.leaveNothingBehind().and.not.to.failWith("SLIPPAGE");
  });

  it("reports the line of the test, the diff, and the caller's message", async () => {
    const error: unknown = await expect(fillWith(), "the deposit")
      .to.deliver(VAULT, 1_000n)
      .to(USER)
      .catch((failure: unknown) => failure);
    if (!(error instanceof AssertionError)) throw error;
    expect(error).to.include({ expected: 1_000n, actual: 990n, showDiff: true });
    expect(error.message).to.match(/^the deposit: expected the fill/u);
    expect(error.stack.split("\n")[1]).to.include("matchers.test.ts");
  });

  it("accepts only fills", async () => {
    expect(await rejectionOf(expect(12).to.leaveNothingBehind())).to.include("forkFill");
    expect(await rejectionOf(expect(Promise.resolve({})).to.failWith("SLIPPAGE"))).to.include("forkFill");
  });
});
