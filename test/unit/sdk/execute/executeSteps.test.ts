import { expect } from "chai";

import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import { executeSteps } from "../../../../packages/sdk/src/execute/executeSteps.ts";
import type {
  ExecuteStepsParameters,
  ExecutionEvent,
  ExecutionResult,
} from "../../../../packages/sdk/src/execute/executeStepsParameters.ts";
import { AbortedError } from "../../../../packages/protocol/src/core/errors.ts";
import type { Step, StepId, StepItem } from "../../../../packages/protocol/src/quote/step.ts";
import type { UnknownValue } from "../../../../packages/protocol/src/schema/schemaParts.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { quote as wholeQuote } from "../../protocol/fixtures.ts";
import { CHAIN_ID, useChain } from "../client/chain.ts";
import { useService } from "../client/service.ts";

const USER = localAccounts.user.address;
const REQUEST_ID = `0x${"ab".repeat(32)}`;
const TOKEN = "0x1111111111111111111111111111111111111111";
const DEPOSITORY = "0x2222222222222222222222222222222222222222";

const item = (data: Record<string, unknown>): StepItem => ({
  status: "incomplete",
  data: { from: USER, to: TOKEN, data: "0x01", value: "1", chainId: CHAIN_ID, ...data },
});
const step = (id: StepId, ...items: StepItem[]): Step => ({
  id,
  action: "",
  description: "",
  kind: "transaction",
  requestId: REQUEST_ID,
  items,
});
const APPROVE = step("approve", item({}));
const DEPOSIT = step("deposit", item({ to: DEPOSITORY, data: "0x02", value: "7" }));
const { protocol: _protocol, ...QUOTE } = wholeQuote;
const { requestId: _requestId, ...DEPOSIT_WITHOUT_ID } = DEPOSIT;

describe("executeSteps", () => {
  const service = useService();
  const chain = useChain();

  const run = (steps: readonly Step[], parameters: Partial<ExecuteStepsParameters> = {}): Promise<ExecutionResult> =>
    executeSteps(createServiceClient({ baseUrl: service.url }), {
      trust: "service",
      quote: { ...QUOTE, steps: [...steps] },
      wallet: chain.wallet,
      pollIntervalMs: 1,
      ...parameters,
    });
  // The first poll precedes the deposit.
  const answer = (...statuses: string[]): void => {
    const inTurn = ["waiting", ...statuses];
    service.answers = ({ method }) =>
      method === "POST" ? { json: { message: "Success" } } : { json: { status: inTurn.shift() ?? "pending" } };
  };
  const STATUS = ["GET", `/intents/status/v3?requestId=${REQUEST_ID}`, undefined];

  it("sends each transaction in order, announces only the deposit, and watches the request until it ends", async () => {
    answer("pending", "success");
    const events: ExecutionEvent[] = [];
    const result = await run([APPROVE, DEPOSIT], { onEvent: (event) => events.push(event) });
    const [approval, deposit] = result.transactions;
    expect(result).to.deep.equal({
      requestId: REQUEST_ID,
      transactions: [approval, deposit],
      status: { status: "success" },
    });

    const sent = await Promise.all(
      result.transactions.map(({ txHash }) => chain.client.getTransaction({ hash: txHash })),
    );
    expect(sent.map(({ to, input, value }) => [to, input, value])).to.deep.equal([
      [TOKEN, "0x01", 1n],
      [DEPOSITORY, "0x02", 7n],
    ]);
    expect(sent[1]!.nonce).to.equal(sent[0]!.nonce + 1);

    expect(service.calls.map(({ method, url, body }) => [method, url, body])).to.deep.equal([
      STATUS,
      ["POST", "/transactions/index", { chainId: CHAIN_ID, txHash: deposit?.txHash, requestId: REQUEST_ID }],
      STATUS,
      STATUS,
    ]);
    expect(events).to.deep.equal([
      { kind: "sent", stepId: "approve", txHash: approval?.txHash },
      { kind: "confirmed", stepId: "approve", txHash: approval?.txHash, gasUsed: approval?.gasUsed },
      { kind: "sent", stepId: "deposit", txHash: deposit?.txHash },
      { kind: "confirmed", stepId: "deposit", txHash: deposit?.txHash, gasUsed: deposit?.gasUsed },
      { kind: "status", status: { status: "pending" } },
      { kind: "status", status: { status: "success" } },
    ]);
  });

  it("skips completed items, and accepts missing data and values", async () => {
    answer("success");
    const bare = { from: USER, to: DEPOSITORY, chainId: CHAIN_ID };
    const done: StepItem = { status: "complete" };
    const result = await run([step("deposit", done, { status: "incomplete", data: bare }, done)]);
    const sent = await Promise.all(
      result.transactions.map(({ txHash }) => chain.client.getTransaction({ hash: txHash })),
    );
    expect(sent.map(({ to, input, value }) => [to, input, value])).to.deep.equal([[DEPOSITORY, "0x", 0n]]);
  });

  for (const broken of ["hang up", { status: 500, json: {} }] as const) {
    it(`continues if the deposit cannot be announced: ${JSON.stringify(broken)}`, async () => {
      service.answers = ({ method }, index) =>
        method === "POST" ? broken : { json: { status: index === 0 ? "waiting" : "success" } };
      expect((await run([DEPOSIT])).status).to.deep.equal({ status: "success" });
    });
  }

  it("throws the error of a failed request", async () => {
    answer("refund");
    expect(factsOf(await rejected(run([DEPOSIT])))).to.deep.equal({
      code: "REQUEST_NOT_FILLED",
      requestId: REQUEST_ID,
      status: "refund",
      details: undefined,
    });
  });

  it("passes the timeout and the interval to the watch", async () => {
    answer();
    // Only polls advance the time.
    const clock = { now: () => service.calls.length * 20 };
    expect(factsOf(await rejected(run([DEPOSIT], { timeoutMs: 100, clock })))).to.deep.equal({
      code: "TIMED_OUT",
      timeoutMs: 100,
    });
    // The polls return the deposit, the first status, the statuses in between, and the last one.
    expect(service.calls.length).to.be.above(3);
  });

  it("reports that the quote or the request is not JSON", async () => {
    const error = await rejected(run([DEPOSIT], { request: { amount: 5n } as never }));
    expect(factsOf(error)).to.include({ code: "MALFORMED_DATA", what: "the quote or the request" });
  });

  describe("before sending", () => {
    const malformed = (path: string): Record<string, unknown> => ({ code: "MALFORMED_DATA", what: "the quote", path });
    const without = (name: string): StepItem => item({ [name]: undefined });
    const done: StepItem = { ...item({}), status: "complete" };
    const refused: Record<string, [Step[], Record<string, unknown>]> = {
      "an unknown kind of step": [
        [APPROVE, { ...DEPOSIT, id: "dance" as UnknownValue, kind: "ritual" as UnknownValue }],
        { code: "UNSUPPORTED_STEP", stepId: "dance", kind: "ritual" },
      ],
      "a Bitcoin deposit": [
        [{ ...DEPOSIT, items: [{ status: "incomplete", data: { psbt: "70736274ff" } }] }],
        { code: "UNSUPPORTED_STEP", stepId: "deposit", kind: "psbt" },
      ],
      "an action of Hyperliquid": [
        [
          {
            ...DEPOSIT,
            items: [{ status: "incomplete", data: { action: { type: "sendAsset", parameters: {} }, nonce: 1 } }],
          },
        ],
        { code: "UNSUPPORTED_STEP", stepId: "deposit", kind: "sendAsset" },
      ],
      "a signature of an unknown kind": [
        [
          {
            ...DEPOSIT,
            id: "authorize",
            kind: "signature",
            items: [
              {
                status: "incomplete",
                data: { sign: { signatureKind: "bip322" }, post: { endpoint: "/authorize", method: "POST" } },
              },
            ],
          },
        ],
        { code: "UNSUPPORTED_STEP", stepId: "authorize", kind: "signature bip322" },
      ],
      "a signature step without data to sign": [
        [APPROVE, { ...DEPOSIT, id: "authorize", kind: "signature" }],
        malformed("steps[1].items[0].data.sign.signatureKind"),
      ],
      "no step": [[], malformed("steps")],
      "steps without a requestId": [[DEPOSIT_WITHOUT_ID], malformed("steps")],
      "an item without data": [
        [APPROVE, step("deposit", { status: "incomplete" })],
        malformed("steps[1].items[0].data"),
      ],
      "an item without a target": [
        [step("deposit", item({}), JSON.parse(JSON.stringify(without("to"))) as StepItem)],
        malformed("steps[0].items[1].data.to"),
      ],
      "a malformed item after a completed item": [
        [step("deposit", done, item({ to: 5 }))],
        malformed("steps[0].items[1].data.to"),
      ],
      "call data of half a byte": [[step("deposit", item({ data: "0x1" }))], malformed("steps[0].items[0].data.data")],
      "a value that is not an amount": [
        [APPROVE, step("deposit", item({ value: "0x1" }))],
        malformed("steps[1].items[0].data.value"),
      ],
      "a target that is not an EVM address": [
        [APPROVE, step("deposit", item({ to: "vault" }))],
        malformed("steps[1].items[0].data.to"),
      ],
      "a value above 2^256 - 1": [
        [APPROVE, step("deposit", item({ value: "9".repeat(78) }))],
        malformed("steps[1].items[0].data.value"),
      ],
      "a later step on another chain": [
        [APPROVE, step("deposit", item({ chainId: 31_338 }))],
        { code: "WRONG_CHAIN", expectedChainId: 31_338, actualChainId: CHAIN_ID },
      ],
      "a quote for another account": [
        [APPROVE, step("deposit", item({ from: TOKEN }))],
        { code: "INVALID_INPUT", field: "wallet.account", value: JSON.stringify(USER) },
      ],
    };
    for (const [name, [steps, facts]] of Object.entries(refused)) {
      it(`rejects ${name}`, async () => {
        const before = await chain.countSent();
        const error = await rejected(run(steps));
        expect(await chain.countSent()).to.equal(before);
        expect(service.calls).to.deep.equal([]);
        expect(factsOf(error)).to.deep.equal(facts);
      });
    }

    it("stops if the signal is already aborted", async () => {
      const before = await chain.countSent();
      expect((await rejected(run([DEPOSIT], { signal: AbortSignal.abort() }))).code).to.equal("ABORTED");
      expect([await chain.countSent(), service.calls]).to.deep.equal([before, []]);
    });
  });

  describe("when the signal aborts", () => {
    it("between two transactions, sends no more", async () => {
      answer();
      const before = await chain.countSent();
      const controller = new AbortController();
      const onEvent = (): void => controller.abort();
      const error = await rejected(run([APPROVE, DEPOSIT], { signal: controller.signal, onEvent }));
      expect(error.code).to.equal("ABORTED");
      expect([await chain.countSent(), service.calls.length]).to.deep.equal([before + 1, 1]);
    });

    it("while the deposit is being announced, does not start polling the status", async () => {
      const controller = new AbortController();
      service.answers = ({ method }) => {
        if (method === "GET") return { json: { status: "waiting" } };
        setImmediate(() => controller.abort());
        return "silence";
      };
      expect((await rejected(run([DEPOSIT], { signal: controller.signal }))).code).to.equal("ABORTED");
      expect(service.calls.map(({ method }) => method)).to.deep.equal(["GET", "POST"]);
    });

    it("with a kit error while the deposit is being announced, fails with that error", async () => {
      const controller = new AbortController();
      const reason = new AbortedError({ what: "a longer run" });
      service.answers = ({ method }) => {
        if (method === "GET") return { json: { status: "waiting" } };
        setImmediate(() => controller.abort(reason));
        return "silence";
      };
      expect(await rejected(run([DEPOSIT], { signal: controller.signal }))).to.equal(reason);
    });

    it("during the watch, stops immediately", async () => {
      answer();
      const controller = new AbortController();
      const error = await rejected(
        run([DEPOSIT], {
          pollIntervalMs: 60_000,
          signal: controller.signal,
          onEvent: ({ kind }) => {
            if (kind === "status") controller.abort();
          },
        }),
      );
      expect(error.code).to.equal("ABORTED");
    });

    it("while a transaction waits for its block, stops immediately", async () => {
      answer();
      await chain.setAutomine(false);
      try {
        const controller = new AbortController();
        // No block is mined before the end of the run.
        const error = await rejected(
          run([APPROVE, DEPOSIT], { signal: controller.signal, onEvent: () => controller.abort() }),
        );
        expect(error.code).to.equal("ABORTED");
      } finally {
        await chain.mine();
        await chain.setAutomine(true);
      }
    });
  });
});
