import { expect } from "chai";
import {
  type Address,
  createWalletClient,
  custom,
  type Hex,
  hexToBigInt,
  http,
  type LocalAccount,
  numberToHex,
  parseAbi,
  parseEther,
  parseSignature,
  zeroAddress,
} from "viem";
import { privateKeyToAccount, toAccount } from "viem/accounts";
import { readContract, waitForTransactionReceipt, writeContract } from "viem/actions";

import * as sdk from "../../packages/sdk/src/index.ts";
import { PERMIT2_ADDRESS } from "../../packages/protocol/src/chains/serviceAddresses.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import type { ReceivedQuote } from "../../packages/protocol/src/quote/quoteFreshness.ts";
import { localDollarAbi } from "../../packages/crosscall/src/abi/localDollar.generated.ts";
import { describeChain } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { LocalnetChain } from "../../packages/crosscall/src/localnet/index.ts";
import {
  type MisbehavingWallet,
  misbehavingNode,
  misbehavingWallet,
} from "../../packages/crosscall/src/testing/index.ts";
import type {
  MisbehavingWalletKind,
  MisbehavingWalletOptions,
} from "../../packages/crosscall/src/testing/misbehaving/walletOptions.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { type PermitKind, permitRequest } from "./gasless/support.ts";
import { countPayments, orderIdOf } from "./payOnce/payingChain.ts";
import { sendBatch } from "./payOnce/standInService.ts";
import { failureOf } from "./support/failureOf.ts";
import { reader } from "./support/parties.ts";
import { onNode } from "./support/requests.ts";

const API_KEY = "crosscall-local";
const STRANGER: Address = "0x00000000000000000000000000000000000c0de5";

/** Amount of one deposit. */
const ETHER = parseEther("0.01");
const DOLLARS = 5_000_000n;

const PERMIT2_ABI = parseAbi(["function invalidateUnorderedNonces(uint256 word, uint256 mask)"]);

type Json = Readonly<Record<string, unknown>>;

describe("a payment", () => {
  const network = useNetwork({ apiKeys: [API_KEY], sponsoringApiKeys: [API_KEY], defaultApiKey: API_KEY });
  let origin: LocalnetChain;
  let keys = 1n;
  let account: LocalAccount;
  let opened: AsyncDisposable[];
  /** Kinds of data that the account has signed. */
  let signed: string[];
  /** Last message that the account signed. */
  let message: Json;
  /** Bodies that the client posted to the routes that execute calls. */
  let posted: Json[];
  /** Service's response to these requests. */
  let responsePost: (pass: () => Promise<Response>) => Promise<Response>;
  /** Whether the service reports every request as waiting. */
  let forgets: boolean;
  /** Offset of the client's clock, in milliseconds ahead of the real time. */
  let skippedMs: number;

  beforeEach(async () => {
    [origin] = network.chains;
    keys += 1n;
    account = privateKeyToAccount(`0x${keys.toString(16).padStart(64, "9")}`);
    await fund(account.address);
    [opened, signed, posted, message, forgets, skippedMs] = [[], [], [], {}, false, 0];
    responsePost = (pass) => pass();
  });
  afterEach(async () => {
    for (const each of opened) await each[Symbol.asyncDispose]();
  });

  async function fund(address: Address): Promise<void> {
    await origin.fund(address, zeroAddress, parseEther("1"));
    for (const symbol of ["USDC", "USDT"] as const) await origin.fund(address, symbol, DOLLARS * 100n);
  }
  async function open(
    kind: MisbehavingWalletKind,
    options: Partial<MisbehavingWalletOptions> = {},
  ): Promise<MisbehavingWallet> {
    const wallet = await misbehavingWallet(kind, { account, rpcUrl: origin.rpcUrl, ...options });
    opened.push(wallet);
    if (wallet.address !== account.address) await fund(wallet.address);
    return wallet;
  }

  const client = () =>
    sdk.createServiceClient({
      baseUrl: network.url,
      apiKey: API_KEY,
      limits: false,
      retry: false,
      fetch(input, init) {
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        if (forgets && pathname.startsWith("/intents/status")) {
          return Promise.resolve(Response.json({ status: "waiting" }));
        }
        if (!pathname.startsWith("/execute")) return fetch(input, init);
        posted.push(JSON.parse(init?.body as string) as Json);
        return responsePost(() => fetch(input, init));
      },
    });
  const requestOf = (currency: "native" | "token", change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    user: account.address,
    originChainId: origin.id,
    destinationChainId: network.chains[1].id,
    originCurrency: currency === "native" ? zeroAddress : origin.contracts.dollar,
    destinationCurrency: network.chains[1].contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: (currency === "native" ? ETHER : DOLLARS).toString(),
    ...change,
  });
  const quoteOf = (currency: "native" | "token", change: Partial<QuoteRequest> = {}) =>
    sdk.getQuote(client(), requestOf(currency, change));

  interface Hooks {
    /** Runs before the wallet receives a request. */
    readonly onRequest?: (method: string) => void;
    /** Runs after the wallet responds, and before the client receives the response. */
    readonly onAnswer?: (method: string) => void;
    /** Replaces an answer. */
    readonly answerOf?: (method: string, answer: unknown) => unknown;
  }
  const clientOf = (wallet: MisbehavingWallet, { onRequest, onAnswer, answerOf }: Hooks = {}) =>
    createWalletClient({
      account: wallet.address,
      chain: describeChain(origin.id, origin.rpcUrl),
      transport: custom({
        async request(request: { readonly method: string; readonly params?: unknown }) {
          onRequest?.(request.method);
          const answer = await wallet.request(request);
          onAnswer?.(request.method);
          return answerOf === undefined ? answer : answerOf(request.method, answer);
        },
      }),
      pollingInterval: 25,
    });
  /** Returns a client for a key that the app holds. */
  const keyClient = () =>
    createWalletClient({
      account: toAccount({
        address: account.address,
        signMessage: () => expect.fail("no message is signed"),
        signTransaction(transaction, options) {
          signed.push("transaction");
          return account.signTransaction(transaction, options);
        },
        signTypedData(parameters) {
          signed.push(parameters.primaryType);
          message = (parameters as { readonly message: Json }).message;
          return account.signTypedData(parameters);
        },
        signAuthorization(authorization) {
          signed.push("authorization");
          return account.signAuthorization?.(authorization) ?? expect.fail("the account holds its key");
        },
      }),
      chain: describeChain(origin.id, origin.rpcUrl),
      transport: http(origin.rpcUrl),
      pollingInterval: 25,
    });
  const execute = (quote: ReceivedQuote, parameters: Partial<sdk.ExecuteStepsParameters>) =>
    sdk.executeSteps(client(), {
      quote,
      trust: network.trust,
      freshness: false,
      pollIntervalMs: 25,
      clock: { now: () => Date.now() + skippedMs },
      ...parameters,
    });

  /** Returns the hashes of the transactions that paid the order. */
  const paymentsOf = (quote: ReceivedQuote): Promise<readonly Hex[]> =>
    countPayments({ client: reader(origin), depository: origin.contracts.depository }, new Set([orderIdOf(quote)]), 0n);
  const promptsOf = ({ prompts }: MisbehavingWallet): readonly string[] => prompts.map(({ method }) => method);
  const sentIn = (events: readonly sdk.ExecutionEvent[]) =>
    events.flatMap((event) => (event.kind === "sent" ? [[event.stepId, event.txHash]] : []));
  /** Ends a wait by moving the client's clock past the time limit at each request for this method. */
  const skipAt = (method: string) => (asked: string) => {
    if (asked === method) skippedMs += 600_000;
  };
  async function withoutMining(work: () => Promise<void>): Promise<void> {
    await onNode(origin, "evm_setAutomine", false);
    try {
      await work();
    } finally {
      await onNode(origin, "evm_setAutomine", true);
      await onNode(origin, "evm_mine");
    }
  }
  function requireUnresolved(error: unknown, facts: Partial<sdk.PaymentUnresolvedError>): void {
    expect(error)
      .to.be.instanceOf(sdk.PaymentUnresolvedError)
      .and.include({ code: "PAYMENT_UNRESOLVED", ...facts });
    expect((error as sdk.PaymentUnresolvedError).askedAtMs).to.be.a("number");
  }

  for (const kind of ["multisig", "userOperation"] as const) {
    describe(`of a contract account whose wallet returns a hash that is not a transaction hash: ${kind}`, () => {
      it("is unresolved at the time limit, and the next run follows it under its real hash", async () => {
        const [wallet, journal] = [await open(kind), sdk.createMemoryJournal()];
        const quote = await quoteOf("native", { user: wallet.address });
        const events: sdk.ExecutionEvent[] = [];
        const onEvent = (event: sdk.ExecutionEvent): void => void events.push(event);
        const waiting = clientOf(wallet, { onRequest: skipAt("eth_getTransactionByHash") });
        for (const run of [1, 2]) {
          const error = await failureOf(execute(quote, { wallet: waiting, journal, onEvent }));
          const [[, reference] = []] = sentIn(events);
          requireUnresolved(error, {
            requestId: sdk.requestIdOf(quote),
            stepId: "deposit",
            chainId: origin.id,
            account: wallet.address,
            what: "transaction",
            reference,
            payableUntil: undefined,
          });
          expect(promptsOf(wallet), `run ${run}`).to.deep.equal(["eth_sendTransaction"]);
        }

        const [realHash] = await wallet.release();
        events.length = 0;
        const { transactions, status } = await execute(quote, { wallet: clientOf(wallet), journal, onEvent });
        expect([transactions.map(({ txHash }) => txHash), status.inTxHashes]).to.deep.equal([[realHash], [realHash]]);
        expect(sentIn(events).at(-1)).to.deep.equal(["deposit", realHash]);
        expect([promptsOf(wallet), await paymentsOf(quote)]).to.deep.equal([["eth_sendTransaction"], [realHash]]);
      });

      it("succeeds in one run with an approval, after the last owner signs", async () => {
        const wallet = await open(kind);
        const quote = await quoteOf("token", { user: wallet.address });
        const released: Promise<readonly Hex[]>[] = [];
        const events: sdk.ExecutionEvent[] = [];
        const returned = new Set<Hex>();
        const { transactions, status } = await execute(quote, {
          wallet: clientOf(wallet),
          onEvent(event) {
            events.push(event);
            if (event.kind !== "sent" || returned.size > released.length) return;
            returned.add(event.txHash);
            released.push(wallet.release());
          },
        });
        const realHash = (await Promise.all(released)).flat().at(-1);
        const [first, second] = returned;
        expect(sentIn(events).slice(0, 3)).to.deep.equal([
          ["approve", first],
          ["deposit", second],
          ["deposit", realHash],
        ]);
        expect([transactions.map(({ txHash }) => txHash), status.inTxHashes]).to.deep.equal([[realHash], [realHash]]);
        expect([promptsOf(wallet).length, await paymentsOf(quote)]).to.deep.equal([2, [realHash]]);
      });
    });
  }

  describe("whose wallet did not return a hash", () => {
    it("is not repeated with another nonce while it is pending and unknown to every node", async () => {
      const node = await misbehavingNode("forgetful", { rpcUrl: origin.rpcUrl });
      opened.push(node);
      const [wallet, journal, stop] = [
        await open("ownNonce", { rpcUrl: node.url }),
        sdk.createMemoryJournal(),
        new AbortController(),
      ];
      const quote = await quoteOf("native");
      const requestId = sdk.requestIdOf(quote);
      await withoutMining(async () => {
        const onAnswer = (method: string): void => {
          if (method === "eth_sendTransaction") stop.abort();
        };
        const aborted = await failureOf(
          execute(quote, { wallet: clientOf(wallet, { onAnswer }), journal, signal: stop.signal }),
        );
        expect(aborted).to.include({ code: "ABORTED", requestId }).and.not.have.property("txHash");
        requireUnresolved(await failureOf(execute(quote, { wallet: clientOf(wallet), journal })), {
          requestId,
          stepId: "deposit",
          chainId: origin.id,
          account: wallet.address,
          what: "transaction",
          reference: undefined,
          payableUntil: undefined,
        });
      });
      const found: sdk.ExecutionEvent[] = [];
      const { status } = await execute(quote, {
        wallet: clientOf(wallet),
        journal,
        onEvent(event) {
          if (event.kind === "found") found.push(event);
        },
      });
      expect([status.inTxHashes, await paymentsOf(quote)]).to.deep.equal([wallet.sent, wallet.sent]);
      expect(found.map(({ kind }) => kind)).to.deep.equal(["found"]);
      expect(promptsOf(wallet)).to.deep.equal(["eth_sendTransaction"]);
    });

    /** Searches for a payment made four blocks ago. */
    async function lookForPaid({ aheadMs = 0, idleMs = 0 }) {
      const wallet = await open("honest");
      const quote = await quoteOf("native");
      await execute(quote, { wallet: clientOf(wallet) });
      const { number: paidIn } = await reader(origin).getBlock({ blockTag: "latest" });
      for (let block = 0; block < 4; block += 1) await onNode(origin, "evm_mine");
      [forgets, skippedMs] = [true, aheadMs];
      const stop = new AbortController();
      const answerOf = (method: string, answer: unknown): unknown => {
        if (method !== "eth_getBlockByNumber") return answer;
        const block = answer as { readonly number: Hex; readonly timestamp: Hex };
        if (hexToBigInt(block.number) > paidIn - 3n) return answer;
        return { ...block, timestamp: numberToHex(Number(block.timestamp) - idleMs / 1_000) };
      };
      const found: (string | undefined)[] = [];
      const error = await failureOf(
        execute(
          { ...quote, quotedAtMs: quote.quotedAtMs + aheadMs },
          {
            wallet: clientOf(wallet, { answerOf }),
            signal: stop.signal,
            onEvent(event) {
              if (event.kind === "found") found.push(event.txHash);
              stop.abort();
            },
          },
        ),
      );
      expect([wallet.sent, promptsOf(wallet)]).to.deep.equal([await paymentsOf(quote), ["eth_sendTransaction"]]);
      return { error, found, sent: wallet.sent };
    }

    it("is found without a journal, even if the chain had no block in the hour before it", async () => {
      const { found, sent } = await lookForPaid({ idleMs: 3_600_000 });
      expect(found).to.deep.equal(sent);
    });

    it("is found without a journal by a client with a clock that is an hour ahead", async () => {
      const { error, sent } = await lookForPaid({ aheadMs: 3_600_000 });
      expect(error).to.have.property("code", "QUOTE_REFUSED");
      expect((error as Error).message).to.include(sent[0]);
    });

    it("is repeated only if the caller allows it", async () => {
      const [silent, honest] = [await open("neverAnswers"), await open("honest")];
      const [quote, journal, stop] = [await quoteOf("native"), sdk.createMemoryJournal(), new AbortController()];
      const onRequest = (method: string): void => {
        if (method === "eth_sendTransaction") stop.abort();
      };
      const wallet = clientOf(silent, { onRequest });
      expect(await failureOf(execute(quote, { wallet, journal, signal: stop.signal }))).to.include({ code: "ABORTED" });
      const error = await failureOf(execute(quote, { wallet: clientOf(honest), journal }));
      requireUnresolved(error, { requestId: sdk.requestIdOf(quote), reference: undefined });
      expect(honest.prompts).to.deep.equal([]);
      const { transactions } = await execute(quote, { wallet: clientOf(honest), journal, payAgain: true });
      expect([transactions.map(({ txHash }) => txHash), await paymentsOf(quote)]).to.deep.equal([
        honest.sent,
        honest.sent,
      ]);
    });
  });

  describe("with the journal of a finished payment", () => {
    const permitOf = (kind: PermitKind) =>
      sdk.getQuote(client(), permitRequest(network, kind, { user: account.address, amount: DOLLARS.toString() }));
    async function finish(what: "batch" | "permit") {
      const [quote, journal] = [
        await (what === "batch" ? quoteOf("token") : permitOf("eip3009")),
        sdk.createMemoryJournal(),
      ];
      await execute(quote, { wallet: keyClient(), journal, gasless: what === "batch" });
      [signed, posted] = [[], []];
      return { quote, journal };
    }

    for (const [what, kind] of [
      ["batch", "permit2"],
      ["permit", "eip3009"],
    ] as const) {
      for (const [name, trust, code] of [
        ["verified", "pinned", "QUOTE_REFUSED"],
        ["not verified", "service", "INVALID_STATE"],
      ] as const) {
        it(`does not sign and post another permit with the same request id: ${what}, ${name}`, async () => {
          const { quote, journal } = await finish(what);
          const permit = await permitOf(kind);
          const steps = JSON.parse(
            JSON.stringify(permit.steps)
              .replaceAll(sdk.requestIdOf(permit), sdk.requestIdOf(quote))
              .replaceAll(new RegExp(network.solver, "giu"), STRANGER),
          ) as ReceivedQuote["steps"];
          forgets = true;
          const wallet = keyClient();
          const error = await failureOf(
            execute({ ...quote, steps }, { wallet, journal, trust: trust === "pinned" ? network.trust : trust }),
          );
          expect(error).to.include({ code });
          expect([signed, posted]).to.deep.equal([[], []]);
        });
      }
    }

    it("does not sign another call in the same position", async () => {
      const { quote, journal } = await finish("batch");
      const { depository } = origin.contracts;
      const attack = JSON.parse(
        JSON.stringify(quote).replaceAll(new RegExp(depository.slice(2), "giu"), STRANGER.slice(2)),
      ) as ReceivedQuote;
      forgets = true;
      const error = await failureOf(execute(attack, { wallet: keyClient(), journal, trust: "service" }));
      expect(error).to.be.instanceOf(sdk.InvalidStateError);
      expect([signed, posted]).to.deep.equal([[], []]);
    });

    for (const what of ["batch", "permit"] as const) {
      it(`resumes the same quote with its keys in any order: ${what}`, async () => {
        const { quote, journal } = await finish(what);
        const gasless = what === "batch";
        const { status } = await execute(reversed(quote), { wallet: keyClient(), journal, gasless });
        expect(status).to.include({ status: "success" });
        expect([signed, posted, (await paymentsOf(quote)).length]).to.deep.equal([[], [], 1]);
      });
    }
  });

  describe("after a permit", () => {
    const kinds: Readonly<Partial<Record<PermitKind, (nonce: string) => Promise<unknown>>>> = {
      eip3009: cancelAuthorization,
      permit2: cancelPermit2,
    };
    for (const [name, cancel] of Object.entries(kinds)) {
      const kind = name as PermitKind;
      const permit = () =>
        sdk.getQuote(client(), permitRequest(network, kind, { user: account.address, amount: DOLLARS.toString() }));
      /** Excludes the approval of Permit2. */
      const messages = () => signed.filter((what) => what !== "transaction");
      const plain = () =>
        sdk.getQuote(client(), {
          ...permitRequest(network, kind, { user: account.address, amount: DOLLARS.toString() }),
          usePermit: false,
        });

      it(`that the service rejected is refused until the permit's nonce is canceled: ${name}`, async () => {
        const [quote, journal] = [await permit(), sdk.createMemoryJournal()];
        const wallet = keyClient();
        responsePost = () => Promise.resolve(Response.json({ message: "no" }, { status: 400 }));
        expect(await failureOf(execute(quote, { wallet, journal }))).to.be.instanceOf(sdk.ServiceError);
        expect(messages()).to.have.length(1);
        const facts = {
          requestId: sdk.requestIdOf(quote),
          chainId: origin.id,
          account: account.address,
          what: "permit",
          reference: String(message.nonce),
          payableUntil: Number(message.deadline ?? message.validBefore),
        } as const;
        for (const later of [await plain(), await permit()]) {
          requireUnresolved(await failureOf(execute(later, { wallet, journal })), facts);
        }
        expect([messages().length, posted.length]).to.deep.equal([1, 1]);
        // A payment in another currency does not conflict with the permit.
        const other = await quoteOf("native");
        await execute(other, { wallet, journal });

        await cancel(facts.reference);
        const later = await plain();
        await execute(later, { wallet, journal });
        expect(await paymentsOf(later)).to.have.length(1);
      });

      it(`that the service accepted is made: ${name}`, async () => {
        const [quote, journal, wallet] = [await permit(), sdk.createMemoryJournal(), keyClient()];
        await execute(quote, { wallet, journal });
        const later = await plain();
        await execute(later, { wallet, journal });
        expect([(await paymentsOf(quote)).length, (await paymentsOf(later)).length]).to.deep.equal([1, 1]);
      });
    }

    async function cancelAuthorization(nonce: string): Promise<void> {
      const { dollar } = origin.contracts;
      const contract = { address: dollar, abi: localDollarAbi } as const;
      const [, name, version, , verifyingContract] = await readContract(reader(origin), {
        ...contract,
        functionName: "eip712Domain",
      });
      const signature = await account.signTypedData({
        domain: { name, version, chainId: origin.id, verifyingContract },
        types: {
          CancelAuthorization: [
            { name: "authorizer", type: "address" },
            { name: "nonce", type: "bytes32" },
          ],
        },
        primaryType: "CancelAuthorization",
        message: { authorizer: account.address, nonce: nonce as Hex },
      });
      const { r, s, yParity } = parseSignature(signature);
      const wallet = keyClient();
      const hash = await writeContract(wallet, {
        ...contract,
        functionName: "cancelAuthorization",
        args: [account.address, nonce as Hex, 27 + yParity, r, s],
      });
      await waitForTransactionReceipt(wallet, { hash });
    }
    async function cancelPermit2(nonce: string): Promise<void> {
      const number = BigInt(nonce);
      const wallet = keyClient();
      const hash = await writeContract(wallet, {
        address: PERMIT2_ADDRESS,
        abi: PERMIT2_ABI,
        functionName: "invalidateUnorderedNonces",
        args: [number >> 8n, 1n << (number & 255n)],
      });
      await waitForTransactionReceipt(wallet, { hash });
    }
  });

  describe("that the signal aborts", () => {
    it("is reported with its hash if it was sent", async () => {
      const [wallet, quote, stop] = [await open("honest"), await quoteOf("native"), new AbortController()];
      const error = await failureOf(
        execute(quote, {
          wallet: clientOf(wallet),
          signal: stop.signal,
          onEvent({ kind }) {
            if (kind === "sent") stop.abort();
          },
        }),
      );
      expect(error).to.include({ code: "ABORTED", requestId: sdk.requestIdOf(quote), txHash: wallet.sent[0] });
    });

    it("is not reported before the wallet request, and the wallet does not delay the abort", async () => {
      const wallet = await open("neverAnswers", { methods: ["wallet_getCapabilities"] });
      const [quote, stop] = [await quoteOf("token"), new AbortController()];
      const onRequest = (method: string): void => {
        if (method === "wallet_getCapabilities") stop.abort();
      };
      const error = await failureOf(execute(quote, { wallet: clientOf(wallet, { onRequest }), signal: stop.signal }));
      expect(error).to.include({ code: "ABORTED" }).and.not.to.have.any.keys("requestId", "txHash");
      expect(wallet.prompts).to.deep.equal([]);
    });
  });

  describe("that does not end", () => {
    it("is unresolved after the wallet times out", async () => {
      const [wallet, quote] = [await open("neverAnswers"), await quoteOf("native")];
      const error = await failureOf(execute(quote, { wallet: clientOf(wallet), timeoutMs: 100 }));
      requireUnresolved(error, { requestId: sdk.requestIdOf(quote), reference: undefined });
    });

    it("is unresolved after the timeout for its inclusion", async () => {
      const [wallet, quote] = [await open("privateMempool"), await quoteOf("native")];
      const returned: unknown[] = [];
      const error = await failureOf(
        execute(quote, {
          wallet: clientOf(wallet, { onRequest: skipAt("eth_getTransactionByHash") }),
          onEvent(event) {
            if (event.kind === "sent") returned.push(event.txHash);
          },
        }),
      );
      requireUnresolved(error, { what: "transaction", reference: returned[0] as Hex });
      expect(await wallet.release()).to.deep.equal(returned);
    });

    it("is unresolved while the wallet reports its bundle as pending, and is followed in a later run", async () => {
      const [wallet, quote, journal] = [await open("bundlePending"), await quoteOf("token"), sdk.createMemoryJournal()];
      const bundles: string[] = [];
      const onEvent = (event: sdk.ExecutionEvent): void => {
        if (event.kind === "bundled") bundles.push(event.bundleId);
      };
      const waiting = clientOf(wallet, { onRequest: skipAt("wallet_getCallsStatus") });
      for (const run of [1, 2]) {
        const error = await failureOf(execute(quote, { wallet: waiting, journal, onEvent }));
        requireUnresolved(error, {
          requestId: sdk.requestIdOf(quote),
          stepId: "deposit",
          what: "bundle",
          reference: bundles[0],
        });
        expect(promptsOf(wallet), `run ${run}`).to.deep.equal(["wallet_sendCalls"]);
      }
      const [realHash] = await wallet.release();
      const { transactions } = await execute(quote, { wallet: clientOf(wallet), journal });
      expect(transactions.map(({ txHash }) => txHash)).to.deep.equal([realHash]);
      expect([promptsOf(wallet), await paymentsOf(quote)]).to.deep.equal([["wallet_sendCalls"], [realHash]]);
    });
  });

  it("is not mistaken for the approval if the wallet returns the approval's hash for it", async () => {
    const [wallet, quote] = [await open("repeatsHash"), await quoteOf("token")];
    const { transactions, status } = await execute(quote, { wallet: clientOf(wallet) });
    const [approval, deposit, ...others] = wallet.sent;
    expect(others).to.deep.equal([]);
    expect(transactions.map(({ txHash }) => txHash)).to.deep.equal([approval, deposit]);
    expect([status.inTxHashes, await paymentsOf(quote)]).to.deep.equal([[deposit], [deposit]]);
  });

  describe("after a batch that the service rejected", () => {
    /** Remaining time in which the batch can be executed, in seconds. */
    const LEFT = 200;

    async function refuse(clientIsLate: boolean) {
      const [quote, journal] = [await quoteOf("token"), sdk.createMemoryJournal()];
      responsePost = () => Promise.resolve(Response.json({ message: "no" }, { status: 400 }));
      // The signature is valid for ten minutes on the client's clock.
      skippedMs = clientIsLate ? (LEFT - 600) * 1_000 : 0;
      const error = await failureOf(execute(quote, { wallet: keyClient(), journal, gasless: true }));
      expect(error).to.be.instanceOf(sdk.ServiceError).and.include({ status: 400 });
      skippedMs = 0;
      signed = [];
      responsePost = (pass) => pass();
      return { quote, pay: () => execute(quote, { wallet: keyClient(), journal }) };
    }

    it("follows the order if a stranger paid for it with the batch", async () => {
      const { quote, pay } = await refuse(false);
      await sendBatch(origin, posted[0] ?? {});
      const payments = await paymentsOf(quote);
      expect(payments).to.have.length(1);
      expect((await pay()).status).to.deep.include({ status: "success", inTxHashes: payments });
      expect([signed, await paymentsOf(quote)]).to.deep.equal([[], payments]);
    });

    it("waits until the batch's deadline has passed on the chain", async () => {
      const { quote, pay } = await refuse(true);
      const error = await failureOf(pay());
      requireUnresolved(error, {
        requestId: sdk.requestIdOf(quote),
        stepId: "approve",
        chainId: origin.id,
        account: account.address,
        what: "batch",
        reference: "0",
      });
      const { payableUntil = 0 } = error as sdk.PaymentUnresolvedError;
      expect(payableUntil).to.equal(Number(message.deadline));
      // The deadline has passed on the client's clock, but not on the chain.
      skippedMs = (LEFT + 1) * 1_000;
      requireUnresolved(await failureOf(pay()), { payableUntil });
      skippedMs = 0;
      expect(signed).to.deep.equal([]);
      await onNode(origin, "evm_setNextBlockTimestamp", payableUntil + 1);
      await onNode(origin, "evm_mine");
      const { transactions } = await pay();
      expect(signed).to.deep.equal(["transaction", "transaction"]);
      expect(await paymentsOf(quote)).to.deep.equal([transactions.at(-1)?.txHash]);
    });
  });
});

/** Returns the same JSON with its keys in reverse order. */
function reversed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(reversed) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, reversed(inner as unknown)] as const);
  return Object.fromEntries(entries.toReversed()) as Value;
}
