import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Keypair } from "@solana/web3.js";
import { expect } from "chai";

import { ONE_SOL, SVM, useSvmPayments } from "../integration/support/useSvmPayments.ts";
import { runCrosscall } from "../support/programs.ts";
import { rememberIn } from "../support/rememberIn.ts";
import { useFolder } from "../support/useFolder.ts";

interface PreflightJson {
  readonly ok: boolean;
  readonly origin: { readonly balances: readonly object[]; readonly logs: readonly string[] } | null;
  readonly findings: readonly { readonly code: string; readonly leg: string; readonly logs?: readonly string[] }[];
}

describe("crosscall preflight of a payment on Solana", () => {
  const node = useSvmPayments();
  const folder = useFolder();

  it("states what leaves the account, with an endpoint and on this folder's network", async () => {
    const { network, user } = node;
    await node.fund(ONE_SOL);
    const recipient = node.otherAccount();
    const quote = await node.quoteOf(recipient, { recipient });
    const [file, trust] = [join(folder, "quote.json"), join(folder, "trust.json")];
    await writeFile(file, JSON.stringify(quote));
    await writeFile(trust, JSON.stringify(network.trust));
    await rememberIn(folder, network);
    const command = ["preflight", file, "--trust", trust];
    const endpoints = network.chains.flatMap(({ id, rpcUrl }) => ["--rpc-url", `${id}=${rpcUrl}`]);
    const own = await runCrosscall(command, { cwd: folder });
    expect([own.exitCode, own.stderr.includes("Error")]).to.deep.equal([0, false]);
    const paid = BigInt(quote.details.currencyIn.amount);
    const shown = (lamports: bigint): string => (Number(lamports) / 1e9).toString();
    expect(own.stdout)
      .to.include("The preflight passes.\n")
      .and.match(new RegExp(`user +SOL +1 +${shown(ONE_SOL - paid - 5_000n)} +-${shown(paid + 5_000n)}`, "u"));

    const given = [...endpoints, "--rpc-url", `${SVM}=${network.svm?.rpcUrl}`];
    const { exitCode, stdout } = await runCrosscall([...command, ...given, "--json"]);
    const { ok, origin, findings } = JSON.parse(stdout) as PreflightJson;
    expect([exitCode, ok, findings]).to.deep.equal([0, true, []]);
    const native = { account: user, currency: "11111111111111111111111111111111" };
    const amounts = { before: String(ONE_SOL), after: String(ONE_SOL - paid - 5_000n) };
    expect(origin?.balances).to.deep.equal([{ ...native, ...amounts }]);
    expect(origin?.logs).not.to.deep.equal([]);

    const poor = await node.quoteOf(recipient, { recipient, user: Keypair.generate().publicKey.toBase58() });
    await writeFile(file, JSON.stringify(poor));
    const failed = await runCrosscall([...command, "--json"], { cwd: folder });
    const report = JSON.parse(failed.stdout) as PreflightJson;
    expect([failed.exitCode, report.ok, report.origin]).to.deep.equal([1, false, null]);
    expect(report.findings.map(({ code, leg }) => [code, leg])).to.deep.equal([["TRANSACTION_REVERTED", "origin"]]);
  });
});
