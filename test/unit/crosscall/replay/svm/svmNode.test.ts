import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { base58 } from "@scure/base";
import { expect } from "chai";

import { replaySvmTransaction } from "../../../../../packages/crosscall/src/replay/svm/replaySvm.ts";
import { simulatePayment } from "../../../../../packages/crosscall/src/replay/svm/simulatePayment.ts";
import { openSvmNode } from "../../../../../packages/crosscall/src/replay/svm/svmNode.ts";
import { CrosscallError } from "../../../../../packages/protocol/src/core/errors.ts";
import { SYSTEM_PROGRAM } from "../../../../../packages/protocol/src/vms/svmPrograms.ts";

const SIGNATURE = base58.encode(new Uint8Array(64).fill(9));
const [PAYER, RECIPIENT] = [1, 2].map((byte) => base58.encode(new Uint8Array(32).fill(byte))) as [string, string];
const ORDER = `0x${"ab".repeat(32)}`;

describe("a node of an SVM chain", () => {
  let server: Server;
  let results: Readonly<Record<string, unknown>> = {};

  before(async () => {
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const { id, method } = JSON.parse(body) as { id: number; method: string };
        const error = { code: -32_601, message: "Method not found" };
        response.end(JSON.stringify(method in results ? { id, result: results[method] } : { id, error }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  after(() => server.close());

  const parameters = () => ({
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chainId: 792_703_809,
    signal: new AbortController().signal,
  });
  const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => "none",
      (error: unknown) => (error instanceof CrosscallError ? error.code : error),
    );
  const header = { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 };
  const message = { header, accountKeys: [PAYER], instructions: [] };
  const included = { slot: 1, transaction: { signatures: [SIGNATURE], message } };

  it("has typed errors for a transaction that it lacks, does not record, rejects or garbles", async () => {
    const codes = [];
    for (const getTransaction of [null, { ...included, meta: null }, { slot: 1 }, "x"]) {
      results = { getTransaction };
      codes.push(await codeOf(replaySvmTransaction(SIGNATURE, parameters())));
    }
    results = {};
    codes.push(await codeOf(replaySvmTransaction(SIGNATURE, parameters())));
    expect(codes).to.deep.equal(["INVALID_INPUT", "INVALID_STATE", "MALFORMED_DATA", "MALFORMED_DATA", "CHAIN_ERROR"]);
  });

  it("simulates a payment, even if it parses the calls of programs or does not report the rent", async () => {
    const inner = [{ index: 0, instructions: [{ program: "system", parsed: {}, programId: SYSTEM_PROGRAM }] }];
    const err = { InsufficientFundsForRent: { account_index: 1 } };
    results = {
      simulateTransaction: { value: { err, logs: null, innerInstructions: inner, preBalances: [9, 5, 1, 1] } },
      getMinimumBalanceForRentExemption: "890880",
    };
    const payment = { payer: PAYER, recipient: RECIPIENT, currency: SYSTEM_PROGRAM, amount: 7n, orderId: ORDER };
    const report = await simulatePayment(openSvmNode(parameters()), payment);
    expect(report.instructions.map(({ name }) => name)).to.deep.equal(["transfer", "memo"]);
    expect([report.hasInnerCalls, report.source.kind]).to.deep.equal([false, "simulation"]);
    expect(report.failure?.reason).to.equal(
      `Account ${RECIPIENT} would have 0.000000012 SOL, less than its rent requires.`,
    );
    expect(await codeOf(simulatePayment(openSvmNode(parameters()), { ...payment, currency: PAYER }))).to.equal(
      "CHAIN_ERROR",
    );
    results = { ...results, getAccountInfo: { value: null } };
    expect(await codeOf(simulatePayment(openSvmNode(parameters()), { ...payment, currency: PAYER }))).to.equal(
      "INVALID_STATE",
    );
  });
});
