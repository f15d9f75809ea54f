import { expect } from "chai";
import { Wallet, JsonRpcProvider } from "ethers";
import { createWalletClient, custom, type Hex, numberToHex, verifyMessage, verifyTypedData } from "viem";

import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import { executeSteps } from "../../../../packages/sdk/src/execute/executeSteps.ts";
import type {
  ExecuteStepsParameters,
  ExecutionEvent,
  ExchangeAction,
  ExecutionResult,
} from "../../../../packages/sdk/src/execute/executeStepsParameters.ts";
import { createMemoryJournal } from "../../../../packages/sdk/src/execute/journal.ts";
import type { Step, StepId, StepKind } from "../../../../packages/protocol/src/quote/step.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { svmWallet } from "../../../../packages/sdk/src/svm.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { quote as wholeQuote } from "../../protocol/fixtures.ts";
import { CHAIN_ID, useChain } from "../client/chain.ts";
import { useService } from "../client/service.ts";
import { failing, ScriptedWallet } from "./scriptedWallet.ts";
import { AUTHORIZATION, BATCH_WITH_VALUE, NOW, PERMIT_REQUEST, permitQuote } from "../verify/permitQuote.ts";

const USER = localAccounts.user.address;
const USER_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const REQUEST_ID = `0x${"ab".repeat(32)}`;
const DIGEST = `0x${"cd".repeat(32)}` as const;

const { protocol: _protocol, ...quote } = wholeQuote;
const stepOf = (id: StepId, kind: StepKind, data: Record<string, unknown>): Step => ({
  id,
  action: "",
  description: "",
  kind,
  requestId: REQUEST_ID,
  items: [{ status: "incomplete", data }],
});
const POST = { endpoint: "/authorize?source=quote", method: "POST", body: { requestId: REQUEST_ID } };
const plain = (message: string): Step =>
  stepOf("authorize", "signature", { sign: { signatureKind: "eip191", message }, post: POST });
const TYPED = {
  domain: { name: "Desk", version: "1", chainId: CHAIN_ID, verifyingContract: USER },
  types: { Order: [{ name: "item", type: "Item[]" }], Item: [{ name: "amount", type: "uint256" }] },
  primaryType: "Order",
  value: { item: [{ amount: "7" }] },
} as const;
const typed = stepOf("authorize1", "signature", { sign: { signatureKind: "eip712", ...TYPED }, post: POST });
const DEPOSIT = stepOf("deposit", "transaction", { from: USER, to: USER, chainId: CHAIN_ID });
const ACTION = {
  type: "transfer",
  parameters: {
    toAccountIndex: 1,
    assetIndex: 3,
    fromRouteType: 0,
    toRouteType: 0,
    amount: 5,
    usdcFee: 1,
    memo: REQUEST_ID,
  },
};

const onChain = (chainId: number) => {
  const { currencyIn } = quote.details;
  return { ...quote.details, currencyIn: { ...currencyIn, currency: { ...currencyIn.currency, chainId } } };
};

describe("executeSteps with actions other than transactions", () => {
  const service = useService();
  const chain = useChain();
  let posts: { url: string | undefined; body: unknown }[];
  let responsesToPosts: unknown[];

  beforeEach(() => {
    posts = [];
    responsesToPosts = [];
    let isAnnounced = false;
    service.answers = ({ method, url, body }) => {
      if (method === "GET") return { json: { status: isAnnounced ? "success" : "waiting" } };
      isAnnounced = true;
      posts.push({ url, body });
      return { json: responsesToPosts.shift() ?? { message: "Success" } };
    };
  });

  const run = (steps: Step[], parameters: Partial<ExecuteStepsParameters> = {}): Promise<ExecutionResult> =>
    executeSteps(createServiceClient({ baseUrl: service.url }), {
      trust: "service",
      quote: { ...quote, steps },
      wallet: chain.wallet,
      pollIntervalMs: 1,
      ...parameters,
    });
  const signatureOf = (index: number): Hex =>
    new URL(posts[index]?.url ?? "", service.url).searchParams.get("signature") as Hex;
  const ethersWallet = () => new Wallet(USER_KEY, new JsonRpcProvider(chain.wallet.chain.rpcUrls.default.http[0]));

  for (const [name, walletOf] of [
    ["a viem wallet", () => chain.wallet],
    ["an ethers signer", ethersWallet],
  ] as const) {
    it(`signs text, a digest and typed data with ${name}, and posts each signature`, async () => {
      await run([plain("Authorise 0x12 to go"), plain(DIGEST), typed], { wallet: walletOf() });
      expect(posts.map(({ url, body }) => [url?.split("&")[0], body])).to.deep.equal(
        Array(3).fill(["/authorize?source=quote", POST.body]),
      );
      const [address, signature] = [USER, signatureOf(0)];
      expect(await verifyMessage({ address, message: "Authorise 0x12 to go", signature })).to.equal(true);
      expect(await verifyMessage({ address, message: { raw: DIGEST }, signature: signatureOf(1) })).to.equal(true);
      const { value, ...data } = TYPED;
      const message = { item: [{ amount: 7n }] };
      expect(value.item[0].amount).to.equal("7");
      expect(await verifyTypedData({ ...data, address, message, signature: signatureOf(2) })).to.equal(true);
    });
  }

  it("rejects a response if its steps differ from the steps that an earlier run received", async () => {
    const [journal, stop] = [createMemoryJournal(), new AbortController()];
    const responses = [typed, plain("another message")];
    service.answers = ({ method }) => {
      const step = method === "GET" ? undefined : responses.shift();
      return { json: method === "GET" ? { status: "waiting" } : { steps: step === undefined ? [] : [step] } };
    };
    let signed = 0;
    const onEvent = ({ kind }: ExecutionEvent): void => {
      if (kind === "signed" && (signed += 1) === 2) stop.abort();
    };
    const first = await rejected(run([plain("first")], { journal, signal: stop.signal, onEvent }));
    expect(first.code).to.equal("ABORTED");
    const second = await rejected(run([plain("first")], { journal }));
    expect(second.code).to.equal("INVALID_STATE");
  });

  it("performs the steps of a response after the existing steps", async () => {
    responsesToPosts = [{ steps: [typed] }];
    const before = await chain.countSent();
    await run([plain("first"), DEPOSIT]);
    expect(posts.map(({ url }) => url?.split("?")[0])).to.deep.equal([
      "/authorize",
      "/transactions/index",
      "/authorize",
    ]);
    expect(await chain.countSent()).to.equal(before + 1);
  });

  for (const [steps, path] of [
    ["later", "steps"],
    [[typed, "later"], "steps[1]"],
    [{ first: typed }, "steps"],
  ] as const) {
    it(`does not ignore steps that cannot be read: ${JSON.stringify(steps).slice(0, 20)}`, async () => {
      responsesToPosts = [{ steps }];
      expect(factsOf(await rejected(run([plain("first")])))).to.include({ code: "MALFORMED_DATA", path });
    });
  }

  it("limits the number of additional steps", async () => {
    responsesToPosts = Array<unknown>(40).fill({ steps: [plain("more")] });
    expect(factsOf(await rejected(run([plain("first")])))).to.include({ code: "MALFORMED_DATA", path: "steps" });
    expect(posts).to.have.length(32);
  });

  it("posts the same signature again if the outcome of the first post is unknown", async () => {
    const journal = createMemoryJournal();
    const { answers } = service;
    service.answers = (call, index) => (call.method === "POST" ? "hang up" : answers(call, index));
    expect((await rejected(run([plain("once")], { journal }))).code).to.equal("SERVICE_UNREACHABLE");
    const first = service.calls.at(-1)?.url;
    service.answers = answers;
    await run([plain("once")], { journal });
    expect(posts[0]?.url).to.equal(first);
  });

  for (const endpoint of [
    "https://thief.example/authorize",
    "//thief.example/x",
    "/\\thief.example",
    "authorize",
    "/../x",
  ]) {
    it(`signs nothing for ${endpoint}`, async () => {
      const base = createServiceClient({ baseUrl: `${service.url}/api` });
      const steps = [
        stepOf("authorize", "signature", {
          sign: { signatureKind: "eip191", message: "" },
          post: { ...POST, endpoint },
        }),
      ];
      const error = await rejected(
        executeSteps(base, { trust: "service", quote: { ...quote, steps }, wallet: chain.wallet }),
      );
      expect(factsOf(error)).to.deep.equal({
        code: "MALFORMED_DATA",
        what: "step authorize",
        path: "data.post.endpoint",
      });
      expect(service.calls).to.deep.equal([]);
    });
  }

  it("signs nothing with the wallet of an account that did not request the quote", async () => {
    for (const permit of [AUTHORIZATION, BATCH_WITH_VALUE]) {
      const error = await rejected(
        executeSteps(createServiceClient({ baseUrl: service.url }), {
          quote: permitQuote(permit),
          request: PERMIT_REQUEST,
          wallet: chain.wallet,
          clock: { now: () => NOW * 1_000 },
          preflight: () => Promise.resolve({ verdict: "passed", findings: [] }),
        }),
      );
      const value = JSON.stringify(USER);
      expect(factsOf(error)).to.deep.equal({ code: "INVALID_INPUT", field: "wallet.account", value });
    }
    expect(service.calls).to.deep.equal([]);
  });

  it("reports the node if it fails before a permit is signed, or while an earlier permit is checked", async () => {
    const [chainId, account] = [PERMIT_REQUEST.originChainId, PERMIT_REQUEST.user];
    const earlier = {
      requestId: DIGEST,
      stepId: "authorize1",
      scheme: "EIP-3009",
      chainId,
      account,
      currency: PERMIT_REQUEST.originCurrency,
      amount: "1",
      contract: PERMIT_REQUEST.originCurrency,
      nonce: DIGEST,
      deadline: NOW,
      fromBlock: "0",
      askedAtMs: 0,
    };
    for (const [method, entries] of [
      ["eth_blockNumber", []],
      ["eth_getBlockByNumber", [earlier]],
    ] as const) {
      const journal = createMemoryJournal();
      await journal.set(`authorizations/${chainId}/${account.toLowerCase()}`, JSON.stringify(entries));
      const wallet = new ScriptedWallet(
        { eth_chainId: () => numberToHex(chainId), [method]: failing(-32_000, "the node failed") },
        { account: account as never },
      );
      const error = await rejected(
        executeSteps(createServiceClient({ baseUrl: service.url }), {
          quote: permitQuote(AUTHORIZATION),
          request: PERMIT_REQUEST,
          wallet: wallet.client,
          journal,
          clock: { now: () => NOW * 1_000 },
        }),
      );
      expect([factsOf(error), wallet.methods.at(-1)]).to.deep.equal([{ code: "CHAIN_ERROR", chainId }, method]);
    }
  });

  it("passes exchange actions and SVM transactions to their callbacks, and announces the transactions", async () => {
    const handed: unknown[] = [];
    const callbacks = {
      onExchangeAction: ({ action, mayHaveRun }: { action: unknown; mayHaveRun: boolean }) => {
        handed.push([action, mayHaveRun]);
        return Promise.resolve(undefined);
      },
      onSvmTransaction: ({ data, mayHaveRun }: { data: unknown; mayHaveRun: boolean }) => {
        handed.push([data, mayHaveRun]);
        return Promise.resolve("5signature");
      },
    };
    const data = { instructions: [], addressLookupTableAddresses: [] };
    const steps = [stepOf("send", "transaction", { action: ACTION }), stepOf("deposit", "transaction", data)];
    await run([], { quote: { ...quote, details: onChain(792_703_809), steps }, ...callbacks });
    expect(handed).to.deep.equal([
      [ACTION, false],
      [data, false],
    ]);
    expect(posts).to.deep.equal([
      {
        url: "/transactions/index",
        body: { chainId: 792_703_809, txHash: "5signature", requestId: REQUEST_ID },
      },
    ]);
  });

  it("does not call the callback if another tab with the same journal called its own in the meantime", async () => {
    const inner = createMemoryJournal();
    let reads = 0;
    const journal = {
      set: (key: string, value: string) => inner.set(key, value),
      async get(key: string) {
        const isStarted = (await inner.get(`${REQUEST_ID}/steps`)) !== undefined;
        if (key !== `${REQUEST_ID}/0.0` || !isStarted) return inner.get(key);
        reads += 1;
        return reads === 1 ? undefined : JSON.stringify({ isDone: false });
      },
    };
    const calls: ExchangeAction[] = [];
    const onExchangeAction = (action: ExchangeAction) => Promise.resolve(void calls.push(action));
    const steps = [stepOf("deposit", "transaction", { action: ACTION })];
    expect((await rejected(run(steps, { journal, onExchangeAction, timeoutMs: 500 }))).code).to.equal("INVALID_STATE");
    expect(calls).to.deep.equal([]);
  });

  it("stops waiting for a callback on abort, and after the timeout", async () => {
    const steps = [stepOf("send", "transaction", { action: ACTION })];
    const stop = new AbortController();
    const onExchangeAction = (): Promise<undefined> => {
      stop.abort();
      return new Promise(() => undefined);
    };
    const aborted = await rejected(run(steps, { onExchangeAction, signal: stop.signal }));
    expect(factsOf(aborted)).to.deep.equal({ code: "ABORTED", requestId: REQUEST_ID });
    const late = await rejected(run(steps, { onExchangeAction, timeoutMs: 20 }));
    expect(factsOf(late)).to.deep.equal({ code: "TIMED_OUT", timeoutMs: 20 });
  });

  it("informs the callback that an earlier run may have performed the action, and skips the action once its result is known", async () => {
    const journal = createMemoryJournal();
    const reported: boolean[] = [];
    const onExchangeAction = ({ mayHaveRun }: { mayHaveRun: boolean }): Promise<undefined> => {
      reported.push(mayHaveRun);
      return reported.length === 1 ? Promise.reject(new RangeError("lost")) : Promise.resolve(undefined);
    };
    const steps = [stepOf("send", "transaction", { action: ACTION }), plain("then")];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await run(steps, { journal, onExchangeAction }).catch((error: unknown) =>
        expect(error).to.be.instanceOf(RangeError),
      );
    }
    expect(reported).to.deep.equal([false, true]);
  });

  it("journals what the callback records, but not after an abort", async () => {
    const [journal, stop] = [createMemoryJournal(), new AbortController()];
    const seen: unknown[] = [];
    const late: Promise<unknown>[] = [];
    const onExchangeAction = async ({ recorded, record, signal }: ExchangeAction): Promise<undefined> => {
      seen.push(recorded);
      if (recorded !== undefined) return;
      await record("first");
      await record("second");
      signal.addEventListener("abort", () => late.push(rejected(record("late"))));
      stop.abort();
      return new Promise(() => undefined);
    };
    const steps = [stepOf("send", "transaction", { action: ACTION }), plain("then")];
    await rejected(run(steps, { journal, onExchangeAction, signal: stop.signal }));
    expect(await Promise.all(late)).to.have.nested.property("[0].code", "ABORTED");
    await run(steps, { journal, onExchangeAction });
    expect(seen).to.deep.equal([undefined, "second"]);
  });

  for (const [kind, step, from] of [
    ["exchangeAction", stepOf("send", "transaction", { action: ACTION }), quote],
    [
      "svmTransaction",
      stepOf("deposit", "transaction", { instructions: [] }),
      { ...quote, details: onChain(792_703_809) },
    ],
  ] as const) {
    it(`performs nothing without the callback for ${kind}`, async () => {
      const error = await rejected(run([], { quote: { ...from, steps: [DEPOSIT, step] } }));
      expect([factsOf(error), service.calls]).to.deep.equal([{ code: "UNSUPPORTED_STEP", stepId: step.id, kind }, []]);
    });
  }

  it("pays with svmWallet on Solana only, because other SVM chains have the same depository", async () => {
    const [eclipse, step] = [9_286_185, stepOf("deposit", "transaction", { instructions: [] })];
    const onSvmTransaction = svmWallet({
      signer: { address: "1".repeat(32), signTransaction: () => expect.fail("signed") },
      rpcUrl: "http://127.0.0.1:9",
    });
    const given = { ...quote, details: onChain(eclipse), steps: [step] };
    expect(factsOf(await rejected(run([], { quote: given, onSvmTransaction })))).to.deep.equal({
      code: "INVALID_INPUT",
      field: "onSvmTransaction",
      value: String(eclipse),
    });
  });

  it("gives the callback a copy of the step, with its chain", async () => {
    const data: Record<string, unknown> = { instructions: [] };
    const given = { ...quote, details: onChain(792_703_809), steps: [stepOf("deposit", "transaction", data)] };
    const received: unknown[] = [];
    await run([], {
      quote: given,
      onSvmTransaction(step) {
        data.instructions = ["changed"];
        received.push([step.chainId, step.data]);
        return Promise.resolve("signature");
      },
    });
    expect(received).to.deep.equal([[792_703_809, { instructions: [] }]]);
  });

  it("switches the chain of a wallet that supports switching", async () => {
    let chainId = 1;
    const wallet = createWalletClient({
      account: localAccounts.user,
      pollingInterval: 10,
      transport: custom({
        request({ method, params }: { method: string; params?: unknown[] }) {
          if (method === "eth_chainId") return Promise.resolve(`0x${chainId.toString(16)}`);
          if (method !== "wallet_switchEthereumChain") return chain.request(method, params ?? []);
          chainId = Number((params as [{ chainId: string }])[0].chainId);
          return Promise.resolve(null);
        },
      }),
    });
    expect((await run([DEPOSIT], { wallet })).transactions).to.have.length(1);
    expect(chainId).to.equal(CHAIN_ID);
  });

  it("prefers the wallet for the chain to the default wallet", async () => {
    const elsewhere = chain.walletWithout("eth_chainId");
    const { transactions } = await run([DEPOSIT], { wallet: elsewhere, wallets: { [CHAIN_ID]: chain.wallet } });
    expect(transactions).to.have.length(1);
  });

  it("reports the chain without a wallet", async () => {
    const parameters = {
      trust: "service" as const,
      quote: { ...quote, steps: [DEPOSIT] },
      wallets: { 5: chain.wallet },
    };
    const error = await rejected(executeSteps(createServiceClient({ baseUrl: service.url }), parameters));
    expect(factsOf(error)).to.deep.equal({ code: "INVALID_INPUT", field: `wallets[${CHAIN_ID}]`, value: undefined });
  });

  it("rejects an ethers signer without a provider", async () => {
    const error = await rejected(run([DEPOSIT], { wallet: new Wallet(USER_KEY) }));
    expect(factsOf(error)).to.deep.equal({ code: "INVALID_INPUT", field: "wallet.provider", value: "null" });
  });
});
