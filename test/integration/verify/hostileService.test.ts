import { expect } from "chai";
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  getAddress,
  type Hex,
  maxUint256,
} from "viem";
import { deployContract, getTransactionCount, waitForTransactionReceipt } from "viem/actions";

import * as sdk from "../../../packages/sdk/src/index.ts";
import { encodeOrderCall } from "../../../packages/protocol/src/order/orderCalls.ts";
import type { Order } from "../../../packages/protocol/src/order/order.ts";
import type { ReceivedQuote } from "../../../packages/protocol/src/quote/quoteFreshness.ts";
import type { Step, StepItem } from "../../../packages/protocol/src/quote/step.ts";
import type { QuoteClaimCode } from "../../../packages/sdk/src/verify/quoteReport.ts";
import type { ServiceTrust } from "../../../packages/sdk/src/verify/trust.ts";
import { verifyQuote } from "../../../packages/sdk/src/verify/verifyQuote.ts";
import { readArtifact } from "../../../packages/crosscall/src/artifacts.ts";
import { swapRouterAbi } from "../../../packages/crosscall/src/localnet/market/swaps/swap.ts";
import { simulateOrigin } from "../../../packages/crosscall/src/replay/preflight/simulateOrigin.ts";
import { openFork } from "../../../packages/crosscall/src/replay/fork/openFork.ts";
import { createPreflight } from "../../../packages/crosscall/src/replay/preflight/preflight.ts";
import type { PreflightFailedError } from "../../../packages/sdk/src/execute/executionErrors.ts";
import { rehashOrder } from "../../support/rehashOrder.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { FakeService } from "../support/fakeService.ts";
import { dollarsOf, mintDollars, reader, userWallet } from "../support/parties.ts";
import { quoteShapes } from "./quoteShapes.ts";
import { routerAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const ATTACKER: Address = getAddress("0x00000000000000000000000000000000000c0de5");
const DELEGATE: Address = "0x00000000000000000000000000000000000000d7";
const DOLLARS = 1_000_000_000n;

type Data = Readonly<Record<string, unknown>>;

/** Changes the data of the deposit. */
function changeDeposit(quote: ReceivedQuote, change: (data: Data) => Data): ReceivedQuote {
  const steps = (quote.steps ?? []).map((step): Step => {
    if (step.id !== "deposit") return step;
    return {
      ...step,
      items: (step.items ?? []).map((item): StepItem => ({ ...item, data: change(item.data as Data) })),
    };
  });
  return { ...quote, steps };
}

/** Changes the data that the steps ask the wallet to sign. */
function changeSign(quote: ReceivedQuote, change: (sign: Data) => Data): ReceivedQuote {
  const steps = (quote.steps ?? []).map((step): Step => ({
    ...step,
    items: (step.items ?? []).map((item): StepItem => {
      const { sign } = (item.data ?? {}) as { readonly sign?: Data };
      return sign === undefined ? item : { ...item, data: { ...item.data, sign: change(sign) } };
    }),
  }));
  return { ...quote, steps };
}

/** Changes the order, and replaces its orderId everywhere. */
function changeOrder(quote: ReceivedQuote, change: (order: Order) => unknown): ReceivedQuote {
  const order = structuredClone(quote.protocol?.v2?.orderData) as Order;
  change(order);
  return rehashOrder({ ...quote, protocol: { v2: { ...quote.protocol?.v2, orderData: order } } });
}

/** Changes the currency and amount in the order's input, in its refunds and in the payment details. */
function inputIn(quote: ReceivedQuote, currency: Address, amount: string): ReceivedQuote {
  const changed = changeOrder(quote, (order) => {
    const [input] = order.inputs;
    Object.assign(input?.payment ?? {}, { currency, amount });
    input?.refunds.forEach((refund) => Object.assign(refund, { currency }));
  });
  const v2 = changed.protocol?.v2;
  return { ...changed, protocol: { v2: { ...v2, paymentDetails: { ...v2?.paymentDetails, currency, amount } } } };
}

function withFirstStep(quote: ReceivedQuote, step: Step): ReceivedQuote {
  return { ...quote, steps: [{ ...step, requestId: quote.steps?.[0]?.requestId }, ...(quote.steps ?? [])] };
}

describe("a wallet with a hostile service", () => {
  const network = useNetwork();

  before(() => mintDollars(network, network.chains[0], DOLLARS));

  const client = () => sdk.createServiceClient({ baseUrl: network.url, limits: false });
  const origin = () => network.chains[0];
  const user = () => network.accounts.user.address;
  const countSent = () => getTransactionCount(reader(origin()), { address: user() });

  async function refuses(
    shape: string,
    attack: (quote: ReceivedQuote) => ReceivedQuote,
    parameters: Partial<sdk.ExecuteStepsParameters> = {},
  ): Promise<sdk.QuoteRefusedError> {
    const request = quoteShapes(network)[shape];
    if (request === undefined) throw new Error(`no shape ${shape}`);
    const quote = attack(await sdk.getQuote(client(), request));
    const before = await countSent();
    const error = await failureOf(
      sdk.executeSteps(client(), { quote, wallet: userWallet(network, origin()), ...parameters }),
    );
    expect(error).to.be.instanceOf(sdk.QuoteRefusedError);
    expect(await countSent()).to.equal(before);
    expect(await dollarsOf(origin(), user())).to.equal(DOLLARS);
    return error as sdk.QuoteRefusedError;
  }

  const transaction = (data: Data): StepItem => ({
    status: "incomplete",
    data: { from: user(), value: "0", chainId: origin().id, ...data },
  });
  const step = (id: "approve" | "send", data: Data): Step => ({
    id,
    action: "",
    description: "",
    kind: "transaction",
    items: [transaction(data)],
  });
  const token = (functionName: "approve" | "transfer", amount: bigint): Data => ({
    to: origin().contracts.dollar,
    data: encodeFunctionData({ abi: erc20Abi, functionName, args: [ATTACKER, amount] }),
  });

  type Attack = readonly [
    what: string,
    shape: string,
    code: QuoteClaimCode,
    attack: (quote: ReceivedQuote) => ReceivedQuote,
  ];
  const ATTACKS: readonly Attack[] = [
    [
      "a deposit to a stranger",
      "native",
      "TRANSACTION_TARGET",
      (quote) => changeDeposit(quote, (data) => ({ ...data, to: ATTACKER })),
    ],
    [
      "a hundredfold value",
      "native",
      "TRANSACTION_VALUE",
      (quote) => changeDeposit(quote, (data) => ({ ...data, value: `${String(data.value)}00` })),
    ],
    [
      "the id of another order",
      "native",
      "DEPOSIT_ID",
      (quote) =>
        changeDeposit(quote, (data) => ({ ...data, data: `${String(data.data).slice(0, -64)}${"12".repeat(32)}` })),
    ],
    [
      "a deposit for another account",
      "native",
      "DEPOSITOR",
      (quote) =>
        changeDeposit(quote, (data) => ({
          ...data,
          data: String(data.data).replace(user().slice(2).toLowerCase(), ATTACKER.slice(2).toLowerCase()),
        })),
    ],
    [
      "a deposit on another chain",
      "native",
      "TRANSACTION_CHAIN",
      (quote) => changeDeposit(quote, (data) => ({ ...data, chainId: network.chains[1].id })),
    ],
    [
      "a gas limit that costs the whole block",
      "native",
      "TRANSACTION_GAS",
      (quote) => changeDeposit(quote, (data) => ({ ...data, gas: "29000000" })),
    ],
    [
      "a fee of 10^30 wei",
      "native",
      "TRANSACTION_FEE",
      (quote) => changeDeposit(quote, (data) => ({ ...data, maxFeePerGas: `1${"0".repeat(30)}` })),
    ],
    [
      "an unlimited approval of a stranger",
      "token",
      "APPROVAL_SPENDER",
      (quote) => withFirstStep(quote, step("approve", token("approve", maxUint256))),
    ],
    [
      "a transfer of all that the user holds",
      "token",
      "TRANSACTION_TARGET",
      (quote) => withFirstStep(quote, step("send", { to: ATTACKER, value: "1" })),
    ],
    [
      "a transfer of a token's whole balance",
      "token",
      "TRANSFER_RECIPIENT",
      (quote) => withFirstStep(quote, step("send", token("transfer", DOLLARS))),
    ],
    [
      "a second deposit",
      "native",
      "PAYMENT_COUNT",
      (quote) => ({ ...quote, steps: [...(quote.steps ?? []), ...(quote.steps ?? [])] }),
    ],
    [
      "an order that pays a stranger",
      "native",
      "ORDER_OUTPUT",
      (quote) => changeOrder(quote, (order) => Object.assign(order.output.payments[0] ?? {}, { recipient: ATTACKER })),
    ],
    [
      "an order that pays another currency",
      "native",
      "MINIMUM_OUTPUT",
      (quote) => changeOrder(quote, (order) => Object.assign(order.output.payments[0] ?? {}, { currency: ATTACKER })),
    ],
    [
      "an order with a lower minimum",
      "native",
      "MINIMUM_OUTPUT",
      (quote) => changeOrder(quote, (order) => Object.assign(order.output.payments[0] ?? {}, { minimumAmount: "1" })),
    ],
    [
      "an order that refunds a stranger",
      "native",
      "ORDER_REFUND",
      (quote) =>
        changeOrder(quote, (order) => Object.assign(order.inputs[0]?.refunds[0] ?? {}, { recipient: ATTACKER })),
    ],
    [
      "an order without a refund",
      "native",
      "ORDER_REFUND",
      (quote) => changeOrder(quote, (order) => Object.assign(order.inputs[0] ?? {}, { refunds: [] })),
    ],
    [
      "an order of another solver",
      "native",
      "ORDER_SOLVER",
      (quote) => changeOrder(quote, (order) => Object.assign(order, { solver: ATTACKER })),
    ],
    [
      "an order on another chain",
      "native",
      "ORDER_CHAIN",
      (quote) => changeOrder(quote, (order) => Object.assign(order.output, { chainId: "base" })),
    ],
    [
      "an order that is filled by a stranger's contract",
      "native",
      "ORDER_FILL_CONTRACT",
      (quote) =>
        changeOrder(quote, (order) =>
          Object.assign(order.output, { extraData: `0x${"0".repeat(24)}${ATTACKER.slice(2)}`.toLowerCase() }),
        ),
    ],
    [
      "an order that pays a fee to a stranger",
      "native",
      "ORDER_FEE",
      (quote) =>
        changeOrder(quote, (order) => {
          const { chainId, currency } = order.inputs[0]?.payment ?? { chainId: "", currency: "" };
          order.fees.push({
            recipientChainId: chainId,
            recipient: ATTACKER,
            currencyChainId: chainId,
            currency,
            amount: "1",
          });
        }),
    ],
    [
      "an order without an end",
      "native",
      "ORDER_DEADLINE",
      (quote) => changeOrder(quote, (order) => Object.assign(order.output, { deadline: 0xffff_ffff })),
    ],
    [
      "an order with another call",
      "token calls",
      "ORDER_CALLS",
      (quote) =>
        changeOrder(quote, (order) =>
          order.output.calls.push(encodeOrderCall({ to: ATTACKER, data: "0x", value: "0" })),
        ),
    ],
    [
      "an order with its calls in another order",
      "token calls",
      "ORDER_CALLS",
      (quote) => changeOrder(quote, (order) => order.output.calls.reverse()),
    ],
    [
      "an order in a token without value, which could be refunded",
      "native",
      "DEPOSIT_CURRENCY",
      (quote) => inputIn(quote, ATTACKER, quote.protocol?.v2?.orderData?.inputs?.[0]?.payment?.amount ?? ""),
    ],
    [
      "an order for one wei after a swap, which no solver signed",
      "native",
      "ORDER_SIGNATURE",
      (quote) => inputIn(quote, origin().contracts.wrappedNative, "1"),
    ],
    [
      "a gas top-up that the order does not pay",
      "gas top-up",
      "ORDER_OUTPUT",
      (quote) => changeOrder(quote, (order) => order.output.payments.splice(1)),
    ],
    [
      "a gas top-up in a token without value",
      "gas top-up",
      "ORDER_OUTPUT",
      (quote) => changeOrder(quote, (order) => Object.assign(order.output.payments[1] ?? {}, { currency: ATTACKER })),
    ],
    [
      "a permit that was not requested",
      "authorization (EIP-3009)",
      "PERMIT_ASKED",
      ({ quotedRequest: { usePermit: _, ...quotedRequest }, ...quote }) => ({ ...quote, quotedRequest }),
    ],
    [
      "a permit for every chain, with the types of the service's own domain",
      "authorization (EIP-3009)",
      "PERMIT_TYPES",
      (quote) => changeSign(quote, (sign) => ({ ...sign, types: { ...(sign.types as Data), EIP712Domain: [] } })),
    ],
    [
      "a permit whose domain has a salt in place of the chain",
      "permit (EIP-2612)",
      "PERMIT_DOMAIN",
      (quote) =>
        changeSign(quote, (sign) => {
          const { chainId: _, ...domain } = sign.domain as Data;
          return { ...sign, domain: { ...domain, salt: `0x${"12".repeat(32)}` } };
        }),
    ],
    [
      "an order that pays one unit, with the text of the quoted amount",
      "token",
      "AMOUNT_SHOWN",
      (quote) => {
        const { currencyOut } = quote.details ?? {};
        const details = { ...quote.details, currencyOut: { ...currencyOut, amount: "1", minimumAmount: "1" } };
        return changeOrder({ ...quote, details }, (order) =>
          Object.assign(order.output.payments[0] ?? {}, { expectedAmount: "1", minimumAmount: "1" }),
        );
      },
    ],
    [
      "native currency with other decimals",
      "native",
      "AMOUNT_SHOWN",
      (quote) => {
        const { currencyOut } = quote.details ?? {};
        const currency = { ...currencyOut?.currency, decimals: 15 };
        const amountFormatted = formatUnits(BigInt(currencyOut?.amount ?? 0), 15);
        return { ...quote, details: { ...quote.details, currencyOut: { ...currencyOut, currency, amountFormatted } } };
      },
    ],
    [
      "calls that are paid for on one pinned router and made by another",
      "token calls",
      "ORDER_FILL_CONTRACT",
      (quote) => changeOrder(quote, (order) => Object.assign(order.output, { extraData: "0x" })),
    ],
    [
      "a higher fee than the quote shows",
      "calls on one chain",
      "FEE_LIMITS",
      (quote) => ({
        ...quote,
        steps: (quote.steps ?? []).map((one) => ({
          ...one,
          items: (one.items ?? []).map((item): StepItem => {
            const data = String(item.data?.data) as Hex;
            const { args } = decodeFunctionData({ abi: routerAbi, data });
            const [calls, ...others] = args as unknown as readonly [
              readonly {
                readonly target: Address;
                readonly allowFailure: boolean;
                readonly value: bigint;
                readonly callData: Hex;
              }[],
              Address,
              Address,
              Hex,
            ];
            const fee = { target: network.solver, allowFailure: false, value: 1n, callData: "0x" } as const;
            const changed = encodeFunctionData({
              abi: routerAbi,
              functionName: "multicall",
              args: [[fee, ...calls], ...others],
            });
            return { ...item, data: { ...item.data, data: `${changed}${data.slice(-64)}` } };
          }),
        })),
      }),
    ],
    [
      "a send to a stranger",
      "native send",
      "TRANSFER_RECIPIENT",
      (quote) => ({
        ...quote,
        steps: (quote.steps ?? []).map((one) => ({
          ...one,
          items: (one.items ?? []).map((item): StepItem => ({ ...item, data: { ...item.data, to: ATTACKER } })),
        })),
      }),
    ],
    [
      "a swap through a stranger's contract",
      "swap to an exact output",
      "TRANSACTION_TARGET",
      (quote) => ({
        ...quote,
        steps: (quote.steps ?? []).map((one) => ({
          ...one,
          items: (one.items ?? []).map((item): StepItem => ({ ...item, data: { ...item.data, to: ATTACKER } })),
        })),
      }),
    ],
  ];

  for (const [what, shape, code, attack] of ATTACKS) {
    it(`signs nothing and keeps its funds for ${what}`, async () => {
      const { verdict, unmet } = await refuses(shape, attack);
      expect(verdict).to.equal("refused");
      expect(unmet.map((claim) => claim.code)).to.include(code);
    });
  }

  it("refuses a same-chain payment without an order to an address that the service names", async () => {
    const request = { ...quoteShapes(network)["native deposit address"]!, destinationChainId: origin().id };
    const changed = { ...request, destinationCurrency: origin().contracts.dollar };
    const { protocol: _, ...quote } = await sdk.getQuote(client(), changed);
    const { verdict, claims } = await verifyQuote({ request: changed, quote, trust: network.trust });
    const unmet = claims.filter(({ isMet }) => !isMet).map(({ code }) => code);
    expect([verdict, unmet]).to.deep.equal(["refused", ["ORDER_PRESENT"]]);
  });

  it("signs no permit, digest or text from the service", async () => {
    const signatures: readonly Data[] = [
      {
        signatureKind: "eip712",
        domain: { name: "USD Coin", version: "1", chainId: origin().id, verifyingContract: origin().contracts.dollar },
        types: {
          Permit: ["owner address", "spender address", "value uint256", "nonce uint256", "deadline uint256"].map(
            (pair) => {
              const [name, type] = pair.split(" ");
              return { name, type };
            },
          ),
        },
        primaryType: "Permit",
        value: { owner: user(), spender: ATTACKER, value: maxUint256.toString(), nonce: "0", deadline: "9999999999" },
      },
      { signatureKind: "eip191", message: `0x${"12".repeat(32)}` satisfies Hex },
      { signatureKind: "eip191", message: "Sign in" },
    ];
    for (const sign of signatures) {
      const error = await refuses("token", (quote) =>
        withFirstStep(quote, {
          id: "authorize",
          action: "",
          description: "",
          kind: "signature",
          items: [{ status: "incomplete", data: { sign, post: { endpoint: "/steal", method: "POST" } } }],
        }),
      );
      expect(error.verdict).to.equal("refused");
    }
  });

  describe("with an authorization (EIP-7702)", () => {
    const authorization = (): Data => ({
      chainId: origin().id,
      address: DELEGATE,
      nonce: 1,
      yParity: 0,
      r: "0x1",
      s: "0x1",
    });
    const authorized = (quote: ReceivedQuote, change: Data = {}): ReceivedQuote =>
      changeDeposit(quote, (data) => ({ ...data, authorizationList: [{ ...authorization(), ...change }] }));
    const requested = (quote: ReceivedQuote, sign: Data): ReceivedQuote => {
      const { requestId } = quote.steps?.[0] ?? {};
      const post = { endpoint: "/execute/permits", method: "POST", body: { requestId } };
      const items: StepItem[] = [{ status: "incomplete", data: { sign, post } }];
      return withFirstStep(quote, { id: "authorize", action: "", description: "", kind: "signature", items });
    };
    const pinned = (): ServiceTrust => {
      const base = network.trust[origin().id];
      if (base === undefined) throw new Error("the origin is pinned");
      return { ...network.trust, [origin().id]: { ...base, delegates: [DELEGATE] } };
    };
    const codesOf = ({ unmet }: sdk.QuoteRefusedError) => unmet.map(({ code }) => code);

    it("signs nothing for a delegate that is not pinned, and explains how to pin the delegate", async () => {
      for (const attack of [
        (quote: ReceivedQuote) => authorized(quote),
        (quote: ReceivedQuote) => requested(quote, { ...authorization(), signatureKind: "eip7702" }),
        (quote: ReceivedQuote) => requested(quote, { signatureKind: "other", authorization: authorization() }),
      ]) {
        const error = await refuses("native", attack);
        expect(codesOf(error)).to.deep.equal(["AUTHORIZATION_DELEGATE"]);
        expect(error.hint).to.include("`delegates`");
      }
    });

    it("signs nothing for another chain, for all chains, or without a nonce", async () => {
      for (const [change, code] of [
        [{ chainId: network.chains[1].id }, "AUTHORIZATION_CHAIN"],
        [{ chainId: 0 }, "AUTHORIZATION_CHAIN"],
        [{ nonce: undefined }, "AUTHORIZATION_NONCE"],
        [{ nonce: -1 }, "AUTHORIZATION_NONCE"],
        [{ address: ATTACKER }, "AUTHORIZATION_DELEGATE"],
        [{ contractAddress: ATTACKER }, "AUTHORIZATION_DELEGATE"],
      ] as const) {
        const error = await refuses("native", (quote) => authorized(quote, change), { trust: pinned() });
        expect(codesOf(error), JSON.stringify(change)).to.deep.equal([code]);
      }
    });

    it("rejects a quote with an authorization, even for a pinned delegate or without verification", async () => {
      const request = quoteShapes(network).native!;
      const quote = await sdk.getQuote(client(), request);
      const before = await countSent();
      for (const [changed, trust, kind] of [
        [authorized(quote), pinned(), "authorizationList"],
        [authorized(quote), "service", "authorizationList"],
        [requested(quote, { ...authorization(), signatureKind: "eip7702" }), pinned(), "signature eip7702"],
      ] as const) {
        if (trust !== "service") {
          expect((await verifyQuote({ request, quote: changed, trust })).verdict).to.equal("bound");
        }
        const error = await failureOf(
          sdk.executeSteps(client(), { quote: changed, trust, wallet: userWallet(network, origin()) }),
        );
        expect(error).to.include({ code: "UNSUPPORTED_STEP", kind });
      }
      expect(await countSent()).to.equal(before);
    });
  });

  it("signs nothing for a batch of calls", async () => {
    const batched = (quote: ReceivedQuote) =>
      changeDeposit(quote, ({ to, data, value, ...others }) => ({ ...others, calls: [{ to, data, value }] }));
    const error = await refuses("native", batched);
    expect(error.unmet.map(({ code }) => code)).to.deep.equal(["TRANSACTION_BATCH"]);
    const hidden = (quote: ReceivedQuote) =>
      changeDeposit(quote, (data) => ({ ...data, calls: [{ to: ATTACKER, data: "0x", value: "1" }] }));
    expect((await refuses("native", hidden)).unmet.map(({ code }) => code)).to.deep.equal(["TRANSACTION_BATCH"]);
    const quote = batched(await sdk.getQuote(client(), quoteShapes(network).native!));
    const unverified = sdk.executeSteps(client(), { quote, trust: "service", wallet: userWallet(network, origin()) });
    expect(await failureOf(unverified)).to.include({ code: "UNSUPPORTED_STEP", kind: "batch" });
  });

  describe("that replaces a stale quote", () => {
    let service: FakeService;
    before(async () => {
      service = await FakeService.start(network.url);
    });
    after(() => service.close());
    afterEach(() => {
      service.quote = undefined;
    });

    const hostile = () => sdk.createServiceClient({ baseUrl: service.url, limits: false });
    const execute = (quote: ReceivedQuote, journal: sdk.ExecutionJournal) =>
      sdk.executeSteps(hostile(), {
        quote,
        journal,
        wallet: userWallet(network, origin()),
        freshness: { toleranceBps: 1_000 },
        pollIntervalMs: 25,
      });
    const stale = async (): Promise<ReceivedQuote> => ({
      ...(await sdk.getQuote(hostile(), quoteShapes(network).native!)),
      quotedAtMs: 0,
    });

    it("refuses to pay for a request that was already executed", async () => {
      const journal = sdk.createMemoryJournal();
      const { quotedAtMs: _, quotedRequest: __, ...paid } = await sdk.getQuote(hostile(), quoteShapes(network).native!);
      await execute({ ...paid, quotedAtMs: Date.now(), quotedRequest: quoteShapes(network).native! }, journal);
      const quote = await stale();
      service.quote = () => paid;
      const before = await countSent();
      const error = await failureOf(execute(quote, journal));
      expect(error).to.be.instanceOf(sdk.QuoteRefusedError);
      expect((error as sdk.QuoteRefusedError).unmet.map(({ code }) => code)).to.deep.equal(["REQUEST_NEW"]);
      expect(await countSent()).to.equal(before);
    });

    it("pays for a new quote that keeps the id of the stale quote", async () => {
      const journal = sdk.createMemoryJournal();
      const { quotedAtMs, quotedRequest, ...quote } = await stale();
      service.quote = () => quote;
      const { requestId, status } = await execute({ ...quote, quotedAtMs, quotedRequest }, journal);
      expect([requestId, status.status]).to.deep.equal([sdk.requestIdOf(quote), "success"]);
    });
  });

  it("signs a swap only after a preflight check", async () => {
    const { verdict, unmet } = await refuses("swap", (quote) => quote);
    expect([verdict, unmet]).to.deep.equal(["needsSimulation", []]);
  });

  describe("with a preflight check", () => {
    const preflight = () => createPreflight(network);
    const swap = async (change: (calls: readonly Hex[]) => readonly Hex[]): Promise<ReceivedQuote> => {
      const quote = await sdk.getQuote(client(), quoteShapes(network).swap ?? quoteShapes(network).native!);
      const steps = (quote.steps ?? []).map((one): Step => ({
        ...one,
        items: (one.items ?? []).map((item): StepItem => {
          const data = String(item.data?.data) as Hex;
          if (one.id === "approve") return item;
          const tail = data.slice(-64);
          const { args } = decodeFunctionData({ abi: swapRouterAbi, data: data.slice(0, -64) as Hex });
          const calls = change((args as unknown as readonly [readonly Hex[]])[0]);
          const changed = encodeFunctionData({ abi: swapRouterAbi, functionName: "multicall", args: [[...calls]] });
          return { ...item, data: { ...item.data, data: `${changed}${tail}` } };
        }),
      }));
      return { ...quote, steps };
    };
    const execute = (quote: ReceivedQuote) =>
      sdk.executeSteps(client(), {
        quote,
        wallet: userWallet(network, origin()),
        preflight: preflight(),
        pollIntervalMs: 25,
      });
    const codesOf = (error: unknown): readonly string[] =>
      (error as PreflightFailedError).findings.map(({ code }) => code);

    it("keeps its funds if a swap pays a stranger", async () => {
      const before = await countSent();
      const quote = await swap((calls) =>
        calls.map((call) => call.replaceAll(user().slice(2).toLowerCase(), ATTACKER.slice(2).toLowerCase()) as Hex),
      );
      expect(codesOf(await failureOf(execute(quote)))).to.deep.equal(["OUTPUT_MISSING", "STRANGER_PAID"]);
      expect(await countSent()).to.equal(before);
    });

    it("does not accept a stranger's event as the deposit", async () => {
      const wallet = userWallet(network, origin());
      const { abi, bytecode } = readArtifact("localnet/LocalDepository");
      const hash = await deployContract(wallet, { abi, bytecode, args: [user(), user()] });
      const { contractAddress } = await waitForTransactionReceipt(wallet, { hash });
      const request = quoteShapes(network).native!;
      const quote = await sdk.getQuote(client(), request);
      const simulate = async (simulated: ReceivedQuote) => {
        const fork = await openFork({ rpcUrl: origin().rpcUrl });
        const { findings } = await simulateOrigin(fork, {
          request,
          quote: simulated,
          trust: network.trust,
          limits: {},
        });
        await fork.close();
        return findings.map(({ code }) => code);
      };
      expect(await simulate(quote)).to.deep.equal([]);
      const stolen = changeDeposit(quote, (data) => ({ ...data, to: contractAddress }));
      expect(await simulate(stolen)).to.deep.equal(["DEPOSIT_MISSING"]);
    });

    it("keeps its funds if a swap reverts", async () => {
      const quote = await swap(() => ["0x12345678"]);
      expect(codesOf(await failureOf(execute(quote)))).to.deep.equal(["TRANSACTION_REVERTED"]);
    });

    it("keeps its funds if a swap leaves an allowance and does nothing else wrong", async () => {
      const quote = await swap(() => []);
      expect(codesOf(await failureOf(execute(quote)))).to.deep.equal(["ALLOWANCE_LEFT", "OUTPUT_MISSING"]);
      expect(await dollarsOf(origin(), user())).to.equal(DOLLARS);
    });

    it("sends a swap that matches the request", async () => {
      expect((await execute(await swap((calls) => calls))).status.status).to.equal("success");
    });
  });

  it("requires the request", async () => {
    const { quotedRequest: _, quotedAtMs: __, ...quote } = await sdk.getQuote(client(), quoteShapes(network).native!);
    const parameters = { wallet: userWallet(network, origin()), pollIntervalMs: 25 };
    const error = await failureOf(sdk.executeSteps(client(), { ...parameters, quote }));
    expect(error).to.include({ code: "INVALID_INPUT", field: "request" });
    // A hostile service can add a forged request to the response.
    const forged = { ...quote, quotedAtMs: Date.now(), quotedRequest: quoteShapes(network).native! };
    const request = { ...quoteShapes(network).native!, amount: "7" };
    expect(await failureOf(sdk.executeSteps(client(), { ...parameters, quote: forged, request }))).to.be.instanceOf(
      sdk.QuoteRefusedError,
    );
  });
});
