import { expect } from "chai";

import { diffReplays } from "../../../../../packages/crosscall/src/replay/diffReplays.ts";
import { failingReport } from "../report/fixtures.ts";

const none = {
  plan: { terms: [], calls: [] },
  blockNumber: undefined,
  amount: undefined,
  verdict: undefined,
  gasUsed: undefined,
  outputs: [],
  transfers: { before: [], after: [] },
  balances: [],
  allowances: [],
};

describe("the differences between two replays", () => {
  it("are empty if the replays are the same", () => {
    expect(diffReplays(failingReport(), failingReport())).to.deep.equal(none);
  });

  it("include both sides", () => {
    const before = failingReport();
    const { recipient, currency } = before.plan;
    const got = { account: recipient, currency, before: 5n, after: 12n };
    const after = {
      ...before,
      blockNumber: before.blockNumber + 1n,
      amount: before.amount + 1n,
      gasUsed: before.gasUsed + 100n,
      verdict: { outcome: "success" } as const,
      transfers: [...before.transfers, ...before.transfers.slice(0, 1)],
      balances: [...before.balances, got],
      allowances: [],
    };
    const [transfer] = before.transfers;
    const [allowance] = before.allowances;
    expect(diffReplays(before, after)).to.deep.equal({
      ...none,
      blockNumber: { before: before.blockNumber, after: after.blockNumber },
      amount: { before: before.amount, after: after.amount },
      gasUsed: { before: before.gasUsed, after: after.gasUsed },
      verdict: { before: before.verdict, after: after.verdict },
      outputs: [{ currency, before: 0n, after: 7n }],
      transfers: { before: [], after: [transfer] },
      balances: [{ account: recipient, currency, before: 0n, after: 7n }],
      allowances: [
        {
          token: allowance?.token,
          owner: allowance?.owner,
          spender: allowance?.spender,
          before: allowance?.after,
          after: undefined,
        },
      ],
    });
  });
});
