import { type Address, zeroAddress } from "viem";

import type { ReplayReport, TraceNode } from "../../../../../packages/crosscall/src/replay/replayReport.ts";

export const ROUTER: Address = "0x1000000000000000000000000000000000000001";
const SOLVER: Address = "0x2000000000000000000000000000000000000002";
export const TOKEN: Address = "0x3000000000000000000000000000000000000003";
const VAULT: Address = "0x4000000000000000000000000000000000000004";
const USER: Address = "0x5000000000000000000000000000000000000005";
const STRANGER: Address = "0x6000000000000000000000000000000000000006";

/** Returns a successful trace call without effects, except for the given fields. */
export function traceNode(
  fields: Partial<Omit<TraceNode, "frame">> & { frame?: Partial<TraceNode["frame"]> } = {},
): TraceNode {
  return {
    call: undefined,
    result: undefined,
    error: undefined,
    isSwallowed: false,
    txIndex: undefined,
    logs: [],
    calls: [],
    ...fields,
    frame: {
      kind: "CALL",
      from: SOLVER,
      to: ROUTER,
      value: 0n,
      gas: 1_000_000n,
      gasUsed: 21_000n,
      input: "0x",
      output: "0x",
      error: undefined,
      errorText: undefined,
      ...fields.frame,
    },
  };
}

/** Returns a report, with every possible part, of a fill that delivers 990 to a deposit that needs 1,000. */
export function failingReport(): ReplayReport {
  return {
    source: { kind: "request", requestId: `0x${"ab".repeat(32)}`, status: "failure" },
    plan: {
      chainId: 31338,
      router: ROUTER,
      routerVersion: "v3",
      solver: SOLVER,
      currency: TOKEN,
      minimumAmount: 980_000_000n,
      expectedAmount: 1_000_000_000n,
      calls: [
        { to: TOKEN, data: "0x095ea7b3", value: 0n, allowFailure: false },
        { to: VAULT, data: "0x6e553f65", value: 0n, allowFailure: false },
      ],
      refundTo: USER,
      nftRecipient: USER,
      recipient: USER,
      orderId: `0x${"cd".repeat(32)}`,
      gas: 900_000n,
    },
    blockNumber: 123n,
    amount: 990_000_000n,
    verdict: {
      outcome: "failure",
      failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
      txIndex: 1,
      error: `ERC20InsufficientBalance(sender: ${ROUTER}, balance: 990000000, needed: 1000000000)`,
      condition: { kind: "balance", account: ROUTER, needed: 1_000_000_000n, had: 990_000_000n, currency: TOKEN },
      path: [1, 0],
      hint: "Let the call use what arrives, by a proxy that reads its balance.",
    },
    findings: [
      {
        code: "LEFT_ALLOWANCE",
        severity: "warning",
        txIndex: 0,
        reason: `The router lets ${VAULT} take more.`,
        hint: "Reset the allowance at the end.",
        left: { account: ROUTER, currency: TOKEN, amount: 10_000_000n },
      },
    ],
    gasUsed: 88_000n,
    trace: traceNode({
      call: "multicall(calls: 2)",
      error: "CallFailed(index: 1)",
      frame: { gasUsed: 88_000n, error: "reverted", errorText: "execution reverted", value: 5n },
      calls: [
        traceNode({
          call: `approve(spender: ${VAULT}, amount: 1000000000)`,
          result: "true",
          txIndex: 0,
          frame: { from: ROUTER, to: TOKEN },
          logs: [
            {
              address: TOKEN,
              event: `Approval(owner: ${ROUTER}, spender: ${VAULT}, value: 1000000000)`,
              topics: [`0x${"8c".repeat(32)}`],
              data: "0x",
              position: 0,
            },
          ],
        }),
        traceNode({
          call: `deposit(assets: 1000000000, receiver: ${USER})`,
          error: "ERC20InsufficientBalance",
          txIndex: 1,
          frame: { from: ROUTER, to: VAULT, error: "reverted" },
          calls: [
            traceNode({
              call: `transferFrom(from: ${ROUTER}, to: ${VAULT}, amount: 1000000000)`,
              error: `ERC20InsufficientBalance(${ROUTER}, 990000000, 1000000000)`,
              frame: { from: VAULT, to: TOKEN, error: "reverted", input: "0x23b872dd" },
            }),
            traceNode({
              frame: { from: VAULT, to: STRANGER, input: "0xdeadbeef00", kind: "STATICCALL" },
              isSwallowed: true,
              error: "out of gas",
            }),
          ],
        }),
      ],
    }),
    transfers: [
      { currency: TOKEN, from: SOLVER, to: ROUTER, amount: 990_000_000n, txIndex: undefined },
      { currency: zeroAddress, from: SOLVER, to: ROUTER, amount: 5n, txIndex: 1 },
      { currency: STRANGER, from: ROUTER, to: STRANGER, amount: 7n, txIndex: 1 },
    ],
    balances: [{ account: ROUTER, currency: TOKEN, before: 0n, after: 990_000_000n }],
    allowances: [{ token: TOKEN, owner: ROUTER, spender: VAULT, before: 0n, after: 2n ** 256n - 1n }],
    currencies: [
      { address: TOKEN, symbol: "USDC", decimals: 6 },
      { address: zeroAddress, symbol: "ETH", decimals: 18 },
    ],
    names: { [ROUTER]: "router", [SOLVER]: "solver", [USER]: "recipient", [VAULT]: "Vault", [TOKEN]: "USDC" },
    original: {
      hash: `0x${"ef".repeat(32)}`,
      blockNumber: 124n,
      success: false,
      gasUsed: 88_000n,
      isReproduced: true,
    },
    envelope: {
      outputs: [VAULT],
      points: [
        {
          amount: 980_000_000n,
          success: false,
          gasUsed: 80_000n,
          received: [],
          failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
          txIndex: 1,
        },
        {
          amount: 1_000_000_000n,
          success: true,
          gasUsed: 120_000n,
          received: [1_000n],
          failReason: undefined,
          txIndex: undefined,
        },
        {
          amount: 1_010_000_000n,
          success: true,
          gasUsed: 121_000n,
          received: [1_000n],
          failReason: undefined,
          txIndex: undefined,
        },
      ],
      ranges: [
        {
          from: 980_000_000n,
          to: 999_999_999n,
          success: false,
          failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
          txIndex: 1,
        },
        { from: 1_000_000_000n, to: 1_010_000_000n, success: true, failReason: undefined, txIndex: undefined },
      ],
      smallestWorking: 1_000_000_000n,
      gas: { maximum: 121_000n, p99: 121_000n, recommendedLimit: 150_000n },
    },
  };
}

/** Returns the same report with this text in every field that a chain or a service controls. */
export function withForeignText(text: string): ReplayReport {
  const report = failingReport();
  const foreign = (node: TraceNode): TraceNode => ({
    ...node,
    call: text,
    result: text,
    error: text,
    logs: node.logs.map((log) => ({ ...log, event: text })),
    calls: node.calls.map(foreign),
  });
  return {
    ...report,
    source: { kind: "plan", name: text },
    verdict:
      report.verdict.outcome === "success"
        ? report.verdict
        : {
            ...report.verdict,
            error: text,
            hint: text,
            condition: { kind: "swapOutput", needed: 2n, had: 1n, currency: TOKEN },
          },
    findings: report.findings.map((finding) => ({ ...finding, reason: text, hint: text })),
    trace: foreign(report.trace),
    currencies: [TOKEN, VAULT, STRANGER].map((address) => ({ address, symbol: text, decimals: 6 })),
    names: { [ROUTER]: text, [SOLVER]: text, [USER]: text },
  };
}
