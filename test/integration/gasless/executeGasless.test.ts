import { expect } from "chai";
import { type Address, createWalletClient, custom, encodeFunctionData, erc20Abi, http, zeroAddress } from "viem";
import { privateKeyToAccount, toAccount } from "viem/accounts";

import { BATCH_EXECUTOR_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import {
  createMemoryJournal,
  createServiceClient,
  executeSteps,
  type ExecuteStepsParameters,
  type ExecutionEvent,
  type ExecutionResult,
  getQuote,
  InvalidInputError,
  InvalidStateError,
  QuoteRefusedError,
  requestIdOf,
  ServiceError,
  ServiceUnreachableError,
  UnsupportedStepError,
} from "../../../packages/sdk/src/index.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import type { ReceivedQuote } from "../../../packages/protocol/src/quote/quoteFreshness.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { createPreflight } from "../../../packages/crosscall/src/replay/preflight/preflight.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { dollarsOf, reader } from "../support/parties.ts";
import { onNode, watchToEnd } from "../support/requests.ts";
import { post, recordOf } from "../support/serviceCalls.ts";
import { nextNonce } from "./batches.ts";

const API_KEY = "crosscall-local";
const AMOUNT = 50_000_000n;
const STRANGER: Address = "0x00000000000000000000000000000000000c0de5";

type Answer = (path: string, body: unknown, pass: () => Promise<Response>) => Promise<Response>;

describe("executeSteps without gas", () => {
  const network = useNetwork({ apiKeys: [API_KEY], sponsoringApiKeys: [API_KEY], defaultApiKey: API_KEY });
  let origin: LocalnetChain;
  let destination: LocalnetChain;
  let keys = 1n;
  /** Account that holds dollars and no native currency. */
  let account: ReturnType<typeof privateKeyToAccount>;
  /** Kinds of data that the account has signed. */
  let signed: string[];
  /** Bodies of the requests to the `/execute` endpoint. */
  let posted: unknown[];
  /** Service's response, which a test can replace. */
  let answer: Answer;

  beforeEach(async () => {
    [origin, destination] = network.chains;
    keys += 1n;
    account = privateKeyToAccount(`0x${keys.toString(16).padStart(64, "7")}`);
    await origin.fund(account.address, "USDC", AMOUNT * 4n);
    signed = [];
    posted = [];
    answer = (_path, _body, pass) => pass();
  });

  const client = (apiKey: string | undefined = API_KEY) =>
    createServiceClient({
      baseUrl: network.url,
      ...(apiKey === "" ? {} : { apiKey }),
      limits: false,
      fetch(input, init) {
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
        if (pathname === "/execute") posted.push(body);
        return answer(pathname, body, () => fetch(input, init));
      },
    });
  /** Wraps the wallet to record its signatures. */
  const wallet = () => {
    const watched = toAccount({
      address: account.address,
      signMessage: (parameters) => account.signMessage(parameters),
      signTransaction(transaction, options) {
        signed.push("transaction");
        return account.signTransaction(transaction, options);
      },
      signTypedData(parameters) {
        signed.push(parameters.primaryType);
        return account.signTypedData(parameters);
      },
      signAuthorization(authorization) {
        signed.push(`authorization ${authorization.contractAddress ?? authorization.address}`);
        return account.signAuthorization(authorization);
      },
    });
    return createWalletClient({
      account: watched,
      chain: describeChain(origin.id, origin.rpcUrl),
      transport: http(origin.rpcUrl),
      pollingInterval: 25,
    });
  };
  const requestOf = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    user: account.address,
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: origin.contracts.dollar,
    destinationCurrency: destination.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: AMOUNT.toString(),
    originGasOverhead: 80_000,
    ...change,
  });
  const quoteOf = (change: Partial<QuoteRequest> = {}): Promise<ReceivedQuote> => getQuote(client(), requestOf(change));
  const quoteSwap = (): Promise<ReceivedQuote> => {
    const { originGasOverhead: _, ...request } = requestOf();
    return getQuote(client(), { ...request, destinationChainId: origin.id, destinationCurrency: zeroAddress });
  };
  const execute = (quote: ReceivedQuote, parameters: Partial<ExecuteStepsParameters> = {}, apiKey = API_KEY) =>
    executeSteps(client(apiKey), {
      quote,
      wallet: wallet(),
      trust: network.trust,
      gasless: true,
      freshness: false,
      pollIntervalMs: 25,
      ...parameters,
    });
  const nonce = () => nextNonce(origin, account.address);
  const held = () => dollarsOf(origin, account.address);

  it("pays tokens repeatedly from an account without native currency", async () => {
    const events: ExecutionEvent[] = [];
    for (const [time, signatures] of [
      [1, [`authorization ${BATCH_EXECUTOR_ADDRESS}`, "SignedBatchedCall"]],
      // The account now has the executor's code.
      [2, ["SignedBatchedCall"]],
    ] as const) {
      [signed, posted, events.length] = [[], [], 0];
      const quote = await quoteOf();
      const [before, received] = await Promise.all([held(), dollarsOf(destination, account.address)]);
      const result = await execute(quote, { onEvent: (event) => void events.push(event) });
      expect(result, `time ${time}`).to.deep.include({ requestId: requestIdOf(quote), transactions: [] });
      expect(result.status).to.include({ status: "success" });
      expect(before - (await held())).to.equal(AMOUNT);
      const expected = BigInt(quote.details?.currencyOut?.amount ?? 0);
      expect((await dollarsOf(destination, account.address)) - received).to.equal(expected);
      expect(await reader(origin).getBalance({ address: account.address })).to.equal(0n);
      expect(signed).to.deep.equal(signatures);
      expect(posted).to.have.length(1);
      expect(posted[0]).to.deep.include({
        executionKind: "rawCalls",
        requestId: requestIdOf(quote),
        originGasOverhead: 80_000,
      });
      expect(events.filter(({ kind }) => kind !== "status").map(({ kind }) => kind)).to.deep.equal(["signed"]);
      const record = await recordOf(network, requestIdOf(quote));
      expect(record.features).to.deep.equal(["gasless_execution"]);
    }
    expect(await nonce()).to.equal(2n);
  });

  it("pays native currency that the account holds", async () => {
    const quote = await quoteOf({ originCurrency: zeroAddress, amount: "1000000000000000" });
    expect(await failureOf(execute(quote))).to.include({ code: "INSUFFICIENT_BALANCE", needed: "1000000000000000" });
    await onNode(origin, "hardhat_setBalance", account.address, "0x38d7ea4c68000");
    expect((await execute(quote)).status).to.include({ status: "success" });
    expect(await reader(origin).getBalance({ address: account.address })).to.equal(0n);
  });

  it("pays for a same-chain swap", async () => {
    const quote = await quoteSwap();
    await onNode(origin, "hardhat_setBalance", account.address, "0x0");
    expect((await execute(quote, { preflight: createPreflight(network) })).status).to.include({ status: "success" });
  });

  it("specifies that the API key pays the fees", async () => {
    const quote = await quoteOf({ subsidizeFees: true, referrer: "tag" });
    await execute(quote);
    expect(posted).to.have.length(1);
    expect(posted[0]).to.deep.include({ executionOptions: { referrer: "tag", subsidizeFees: true } });
  });

  it("signs a batch that can be executed only once, within an hour", async () => {
    const quote = await quoteOf();
    await execute(quote);
    const [body] = posted as [{ readonly data: { readonly authorizationList: unknown } }];
    const { authorizationList: _, ...data } = body.data;
    // The service sends a separate call, because the request is already paid.
    const replay = { executionKind: "rawCalls", data };
    const { status, body: refused } = await post(network, "/execute", replay, { "x-api-key": API_KEY });
    expect([status, (refused as { error: string }).error]).to.deep.equal([400, "INVALID_NONCE"]);

    const late = await quoteOf();
    answer = (path, _body, pass) => (path === "/execute" ? Promise.reject(new Error("lost")) : pass());
    await failureOf(execute(late));
    const unsent = (posted as readonly { readonly data: unknown }[]).at(-1)?.data;
    const snapshot = await onNode(origin, "evm_snapshot");
    await onNode(origin, "evm_increaseTime", 3_700);
    await onNode(origin, "evm_mine");
    const expired = await post(
      network,
      "/execute",
      { executionKind: "rawCalls", data: unsent },
      { "x-api-key": API_KEY },
    );
    await onNode(origin, "evm_revert", snapshot);
    expect([expired.status, (expired.body as { error: string }).error]).to.deep.equal([400, "SIGNATURE_EXPIRED"]);
  });

  describe("pays once when the run", () => {
    it("is killed after the service accepts the batch", async () => {
      const [quote, journal, stop] = [await quoteOf(), createMemoryJournal(), new AbortController()];
      const before = await held();
      answer = async (path, _body, pass) => {
        const response = await pass();
        if (path === "/execute") stop.abort();
        return response;
      };
      expect(await failureOf(execute(quote, { journal, signal: stop.signal }))).to.include({ code: "ABORTED" });
      expect((await execute(quote, { journal })).status).to.include({ status: "success" });
      expect(before - (await held())).to.equal(AMOUNT);
    });

    it("loses the service's response while the transaction is pending", async () => {
      const [quote, journal] = [await quoteOf(), createMemoryJournal()];
      const before = await held();
      const found: ExecutionEvent[] = [];
      let again: Promise<ExecutionResult> | undefined;
      answer = async (path, _body, pass) => {
        const response = await pass();
        if (path === "/execute") throw new Error("lost");
        return response;
      };
      await onNode(origin, "evm_setAutomine", false);
      try {
        expect(await failureOf(execute(quote, { journal }))).to.be.instanceOf(ServiceUnreachableError);
        const pending = async () => ((await onNode(origin, "eth_pendingTransactions")) as readonly unknown[]).length;
        await until(async () => (await pending()) > 0, { what: "the service's transaction" });
        const onEvent = (event: ExecutionEvent): void => {
          if (event.kind === "found") found.push(event);
        };
        again = execute(quote, { journal, onEvent });
        await until(() => Promise.resolve(found.length > 0), { what: "the pending payment" });
      } finally {
        await onNode(origin, "evm_setAutomine", true);
        await onNode(origin, "evm_mine");
      }
      expect((await again).status).to.include({ status: "success" });
      expect(posted).to.have.length(1);
      expect([before - (await held()), await nonce()]).to.deep.equal([AMOUNT, 1n]);
    });

    it("posts a payment twice, and the service rejects the second post", async () => {
      const [quote, journal] = [await quoteOf(), createMemoryJournal()];
      const before = await held();
      answer = (path, _body, pass) => (path === "/execute" ? Promise.reject(new Error("lost")) : pass());
      expect(await failureOf(execute(quote, { journal }))).to.be.instanceOf(ServiceUnreachableError);
      const statuses: number[] = [];
      answer = async (path, _body, pass) => {
        if (path !== "/execute") return pass();
        // The first post arrives later.
        statuses.push((await post(network, path, posted[0], { "x-api-key": API_KEY })).status);
        const response = await pass();
        statuses.push(response.status);
        return response;
      };
      expect((await execute(quote, { journal })).status).to.include({ status: "success" });
      expect(statuses).to.deep.equal([200, 400]);
      expect([before - (await held()), await nonce()]).to.deep.equal([AMOUNT, 1n]);
    });

    it("loses its post, which the next run sends again with the same nonce", async () => {
      const [quote, journal] = [await quoteOf(), createMemoryJournal()];
      const before = await held();
      answer = (path, _body, pass) => (path === "/execute" ? Promise.reject(new Error("lost")) : pass());
      expect(await failureOf(execute(quote, { journal }))).to.be.instanceOf(ServiceUnreachableError);
      answer = (_path, _body, pass) => pass();
      // Even without the option, the run continues the gasless payment.
      expect((await execute(quote, { journal, gasless: false })).status).to.include({ status: "success" });
      expect(signed.filter((what) => what === "transaction")).to.deep.equal([]);
      expect([before - (await held()), await nonce()]).to.deep.equal([AMOUNT, 1n]);
    });

    it("is followed by a run for a second quote while the first batch can still be sent", async () => {
      const [first, second] = [await quoteOf(), await quoteOf()];
      const before = await held();
      answer = (path, _body, pass) => (path === "/execute" ? Promise.reject(new Error("lost")) : pass());
      await failureOf(execute(first));
      const [unsent] = posted as [{ readonly data: Readonly<Record<string, unknown>> }];
      answer = (_path, _body, pass) => pass();
      await execute(second);
      const { authorizationList: _, ...data } = unsent.data;
      const late = await post(network, "/execute", { executionKind: "rawCalls", data }, { "x-api-key": API_KEY });
      expect([late.status, (late.body as { error: string }).error]).to.deep.equal([400, "INVALID_NONCE"]);
      expect(before - (await held())).to.equal(AMOUNT);
    });

    it("finds that the batch was executed", async () => {
      const [quote, journal] = [await quoteOf(), createMemoryJournal()];
      const before = await held();
      answer = (path, _body, pass) => (path === "/execute" ? Promise.reject(new Error("lost")) : pass());
      await failureOf(execute(quote, { journal }));
      // Any account can send the batch.
      const { status } = await post(network, "/execute", posted[0], { "x-api-key": API_KEY });
      expect(status).to.equal(200);
      await watchToEnd(network, requestIdOf(quote));
      answer = (_path, _body, pass) => pass();
      expect((await execute(quote, { journal })).status).to.include({ status: "success" });
      expect(posted).to.have.length(1);
      expect(before - (await held())).to.equal(AMOUNT);
    });

    it("finds that the batch was canceled, and signs another batch in a later run", async () => {
      await execute(await quoteOf());
      const [quote, journal] = [await quoteOf(), createMemoryJournal()];
      const before = await held();
      answer = (path, _body, pass) => (path === "/execute" ? Promise.reject(new Error("lost")) : pass());
      await failureOf(execute(quote, { journal }));
      answer = (_path, _body, pass) => pass();
      // Executes another batch with this nonce.
      await execute(await quoteOf());
      const facts = { code: "PAYMENT_UNRESOLVED", what: "batch", reference: "1", requestId: requestIdOf(quote) };
      expect(await failureOf(execute(quote, { journal, timeoutMs: 1_000 }))).to.include(facts);
      expect((await execute(quote, { journal })).status).to.include({ status: "success" });
      expect([before - (await held()), await nonce()]).to.deep.equal([AMOUNT * 2n, 3n]);
    });

    it("starts over after a rejection", async () => {
      const [quote, journal] = [await quoteOf(), createMemoryJournal()];
      const before = await held();
      answer = (path, _body, pass) =>
        path === "/execute" ? Promise.resolve(Response.json({ error: "no" }, { status: 400 })) : pass();
      for (const run of ["first", "second"]) {
        const error = await failureOf(execute(quote, { journal, timeoutMs: 1 }));
        expect(error, run).to.be.instanceOf(ServiceError).and.include({ status: 400, endpoint: "POST /execute" });
      }
      answer = (_path, _body, pass) => pass();
      expect((await execute(quote, { journal })).status).to.include({ status: "success" });
      expect([before - (await held()), await nonce()]).to.deep.equal([AMOUNT, 1n]);
    });
  });

  describe("signs nothing", () => {
    afterEach(() => expect([signed, posted]).to.deep.equal([[], []]));

    it("if the delegate is not pinned", async () => {
      const own = network.trust[origin.id] ?? expect.fail("the origin is pinned");
      for (const delegates of [[], [STRANGER]]) {
        const trust = { ...network.trust, [origin.id]: { ...own, delegates } };
        const error = await failureOf(execute(await quoteOf(), { trust }));
        expect(error).to.be.instanceOf(QuoteRefusedError);
        expect((error as QuoteRefusedError).unmet.map(({ code }) => code)).to.deep.equal(["AUTHORIZATION_DELEGATE"]);
      }
    });

    it("if nothing is pinned", async () => {
      const error = await failureOf(execute(await quoteOf(), { trust: "service" }));
      expect(error).to.be.instanceOf(InvalidInputError).and.include({ field: "gasless" });
    });

    it("if a hostile service adds or changes a call, or names its own delegate", async () => {
      const quote = await quoteOf();
      const steps = quote.steps ?? [];
      const data = {
        from: account.address,
        to: origin.contracts.dollar,
        data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [STRANGER, AMOUNT] }),
        value: "0",
        chainId: origin.id,
      };
      const added = { ...steps[0], items: [{ status: "incomplete" as const, data }] };
      const deposit = steps.at(-1);
      const authorization = { chainId: origin.id, address: STRANGER, nonce: 0, yParity: 0, r: "0x1", s: "0x1" };
      const withData = (change: Readonly<Record<string, unknown>>) => ({
        ...deposit,
        items: deposit?.items?.map((item) => ({ ...item, data: { ...item.data, ...change } })) ?? [],
      });
      for (const attack of [
        [...steps, added],
        [...steps.slice(0, -1), withData({ to: STRANGER })],
        [...steps.slice(0, -1), withData({ authorizationList: [authorization] })],
      ]) {
        expect(await failureOf(execute({ ...quote, steps: attack }))).to.be.instanceOf(QuoteRefusedError);
      }
    });

    it("with a wallet that cannot sign authorizations", async () => {
      const remote = createWalletClient({
        account: account.address,
        transport: custom({ request: ({ method }: { method: string }) => onNode(origin, method) }),
      });
      const error = await failureOf(execute(await quoteOf(), { wallet: remote }));
      expect(error).to.be.instanceOf(InvalidInputError).and.include({ field: "wallet" });
    });

    it("without an API key", async () => {
      const error = await failureOf(execute(await quoteOf(), {}, ""));
      expect(error).to.be.instanceOf(InvalidInputError).and.include({ field: "client.apiKey" });
    });

    it("for a signature step", async () => {
      const error = await failureOf(execute(await quoteOf({ usePermit: true })));
      expect(error).to.be.instanceOf(UnsupportedStepError).and.include({ kind: "gasless signature" });
    });

    it("for a contract account", async () => {
      const quote = await quoteOf();
      await onNode(origin, "hardhat_setCode", account.address, "0x5f5ffd");
      const error = await failureOf(execute(quote));
      await onNode(origin, "hardhat_setCode", account.address, "0x");
      expect(error).to.be.instanceOf(InvalidStateError);
    });

    it("for a same-chain request if the client must confirm the payment", async () => {
      const quote = await quoteSwap();
      const error = await failureOf(execute(quote, { destinationClient: reader(origin) }));
      expect(error)
        .to.be.instanceOf(InvalidInputError)
        .and.include({ field: "destinationClient", value: '"[client]"' });
    });
  });

  it("if an earlier run already sent transactions", async () => {
    const [journal, stop] = [createMemoryJournal(), new AbortController()];
    await onNode(origin, "hardhat_setBalance", account.address, "0x38d7ea4c68000");
    const quote = await quoteOf();
    const onEvent = ({ kind }: ExecutionEvent): void => {
      if (kind === "confirmed") stop.abort();
    };
    await failureOf(execute(quote, { journal, gasless: false, signal: stop.signal, onEvent }));
    expect(await failureOf(execute(quote, { journal }))).to.be.instanceOf(InvalidStateError);
    expect(posted).to.deep.equal([]);
  });
});
