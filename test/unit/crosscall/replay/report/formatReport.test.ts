import { readFile } from "node:fs/promises";

import { expect } from "chai";
import fc from "fast-check";

import { REPLAY_FINDINGS } from "../../../../../packages/crosscall/src/replay/replayReport.ts";
import { formatReport } from "../../../../../packages/crosscall/src/replay/report/formatReport.ts";
import type { FailureVerdict } from "../../../../../packages/crosscall/src/replay/verdict.ts";
import { failingReport, ROUTER, TOKEN, traceNode, withForeignText } from "./fixtures.ts";

describe("formatReport", () => {
  it("starts with the verdict, the error, the numbers, the call and a hint", () => {
    expect(formatReport(failingReport()).split("\n").slice(0, 5)).to.deep.equal([
      "The fill fails: TRANSFER_AMOUNT_EXCEEDS_BALANCE in txs[1].",
      "  error      ERC20InsufficientBalance(sender: router, balance: 990000000, needed: 1000000000)",
      "  condition  balance of router: needed 1000 USDC, had 990 USDC",
      "  call       USDC.transferFrom(from: router, to: Vault, amount: 1000000000)",
      "  to do      Let the call use what arrives, by a proxy that reads its balance.",
    ]);
  });

  it("writes the amounts of a hint in whole units, with the values for code", () => {
    const { verdict, ...report } = failingReport();
    const toDo = (hint: string, changes: object = {}): string | undefined =>
      formatReport({ ...report, verdict: { ...verdict, hint, ...changes } as FailureVerdict })
        .split("\n")
        .find((line) => line.startsWith("  to do"))
        ?.slice(13);
    expect(toDo("The calls spend 1000000000, but only 990000000 is available: use 2 calls.")).to.equal(
      "The calls spend 1000 USDC (1000000000), but only 990 USDC (990000000) is available: use 2 calls.",
    );
    expect(toDo(`Approve at least 1000000000 of ${TOKEN} to ${ROUTER} before txs[0].`)).to.equal(
      "Approve at least 1000 USDC (1000000000) to router before txs[0].",
    );
    // An index of a call can equal an amount.
    const condition = { kind: "allowance", spender: ROUTER, needed: 7_000_000n, had: 0n, currency: TOKEN };
    expect(toDo(`Approve at least 7000000 of ${TOKEN} to ${ROUTER} before txs[0].`, { condition })).to.equal(
      "Approve at least 7 USDC (7000000) to router before txs[0].",
    );
  });

  it("marks numbers that may mean something else as uncertain, and shows the source", () => {
    const { verdict, ...report } = failingReport();
    const explanation = {
      kind: "balance",
      cause: "if the contract is from Kit, balance of it: needed 7, had 5",
      isCertain: false,
      source: "Kit: @crosscall/contracts, localnet/tokens",
    } as const;
    const facts = formatReport({ ...report, verdict: { ...verdict, explanation } as FailureVerdict }).split("\n");
    expect(facts.filter((line) => /^ {2}(?:condition|cause|source) /u.test(line))).to.deep.equal([
      "  cause   if the contract is from Kit, balance of it: needed 7, had 5",
      "  source  Kit: @crosscall/contracts, localnet/tokens",
    ]);
  });

  it("prints the whole report, and the findings that the guide lists", async () => {
    const report = await readFile(new URL("report.txt", import.meta.url), "utf8");
    expect(report).to.equal(`${formatReport(failingReport())}\n`);
    const page = await readFile(new URL("../../../../../docs/replay.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\|$/gmu)].map(([, code, meaning]) => [code, meaning]);
    expect(Object.fromEntries(rows)).to.deep.equal(REPLAY_FINDINGS);
  });

  it("shows the tree with values, gas, results, events, failures and the cause", () => {
    expect(sectionOf(formatReport(failingReport()), "Calls")).to.deep.equal([
      "  router.multicall(calls: 2) with 0.000000000000000005 ETH [88000 gas] FAILS: CallFailed(index: 1)",
      "    txs[0] USDC.approve(spender: Vault, amount: 1000000000) -> true [21000 gas]",
      "      emits USDC.Approval(owner: router, spender: Vault, value: 1000000000)",
      "    txs[1] Vault.deposit(assets: 1000000000, receiver: recipient) [21000 gas] FAILS: ERC20InsufficientBalance",
      "      USDC.transferFrom(from: router, to: Vault, amount: 1000000000) [21000 gas] FAILS: " +
        "ERC20InsufficientBalance(router, 990000000, 1000000000)  <-- the cause",
      "      staticcall 0x6000000000000000000000000000000000000006.0xdeadbeef(5 bytes) [21000 gas] FAILS: out of gas " +
        "(the fill continues)",
    ]);
  });

  it("formats amounts with decimals and symbol, and amounts of unknown currencies in the smallest unit", () => {
    expect(
      sectionOf(formatReport(failingReport()), "Transfers").map((line) => line.replace(/ {2,}/gu, " | ")),
    ).to.deep.equal([
      " | # | tx | from | to | amount",
      " | 1 | solver | router | 990 USDC",
      " | 2 | txs[1] | solver | router | 0.000000000000000005 ETH",
      " | 3 | txs[1] | router | 0x6000000000000000000000000000000000000006 | 7 in the smallest unit of " +
        "0x6000000000000000000000000000000000000006",
    ]);
  });

  it("describes a successful fill, and omits missing sections", () => {
    const text = formatReport({
      ...failingReport(),
      verdict: { outcome: "success" },
      findings: [],
      transfers: [],
      envelope: undefined,
    });
    expect(text.split("\n", 1)).to.deep.equal(["The fill works."]);
    expect(text).not.to.match(/^(Findings|Transfers|Envelope)$/mu);
  });

  it("shows at most 25 amounts of an envelope, including the first and the last", () => {
    const report = failingReport();
    const point = report.envelope!.points[1]!;
    const points = Array.from({ length: 200 }, (_, index) => ({ ...point, amount: BigInt(index) * 1_000_000n }));
    const rows = sectionOf(
      formatReport({ ...report, envelope: { ...report.envelope!, points } }),
      "Amounts tried",
    ).slice(1);
    expect(rows).to.have.length(25);
    expect(rows.at(0)).to.match(/^ *0 /u);
    expect(rows.at(-1)).to.match(/^ *199 /u);
  });

  it("shows the first lines of a tree that is too long for a terminal", () => {
    const calls = Array.from({ length: 1_000 }, () => traceNode());
    const lines = sectionOf(formatReport({ ...failingReport(), trace: traceNode({ calls }) }), "Calls");
    expect(lines).to.have.length(301);
    expect(lines.at(-1)).to.contain("701");
  });

  it("never gives two accounts the same name", () => {
    const report = failingReport();
    const other = "0x7000000000000000000000000000000000000007";
    const text = formatReport({ ...report, names: { [ROUTER]: "router", [other]: "router" } });
    expect(sectionOf(text, "Accounts").slice(1)).to.deep.equal([
      `  router ${ROUTER}  ${ROUTER}`,
      `  router ${other}  ${other}`,
    ]);
  });

  it("prevents external text from moving the cursor or starting a line", () => {
    const lines = formatReport(withForeignText("plain")).split("\n").length;
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = formatReport(withForeignText(`\u001b[2J\r\n\u202e${text}`));
        expect(shown.replaceAll("\n", "").match(/[\p{Cc}\p{Cf}]/gu)).to.equal(null);
        expect(shown.split("\n").length).to.equal(lines);
      }),
      { numRuns: 200 },
    );
  });
});

function sectionOf(text: string, title: string): string[] {
  const lines = text.split("\n\n").find((section) => section.startsWith(`${title}\n`)) ?? "";
  return lines.split("\n").slice(1);
}
