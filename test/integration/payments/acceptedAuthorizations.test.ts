import { expect } from "chai";
import { createWalletClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import {
  createMemoryJournal,
  createServiceClient,
  executeSteps,
  type ExecuteStepsParameters,
  type ExecutionJournal,
  getQuote,
  requestIdOf,
} from "../../../packages/sdk/src/index.ts";
import { PaymentUnresolvedError } from "../../../packages/sdk/src/execute/executionErrors.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import type { ReceivedQuote } from "../../../packages/protocol/src/quote/quoteFreshness.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { dollarsOf } from "../support/parties.ts";
import { onNode } from "../support/requests.ts";

const API_KEY = "crosscall-local";
const AMOUNT = 50_000_000n;

// The service accepts a signature, reports the request as failed, and can still use the signature later.
describe("a payment after a permit or batch that the service accepted but did not use", () => {
  const network = useNetwork({ apiKeys: [API_KEY], sponsoringApiKeys: [API_KEY], defaultApiKey: API_KEY });
  let origin: LocalnetChain;
  let keys = 1n;
  let account: ReturnType<typeof privateKeyToAccount>;
  let journal: ExecutionJournal;
  /** Request that the service withheld. */
  let kept: (() => Promise<Response>) | undefined;
  let accepted: string;
  let isHostile: boolean;

  beforeEach(async () => {
    [origin] = network.chains;
    keys += 1n;
    account = privateKeyToAccount(`0x${keys.toString(16).padStart(64, "5")}`);
    await origin.fund(account.address, "USDC", AMOUNT * 4n);
    await onNode(origin, "hardhat_setBalance", account.address, "0x8ac7230489e80000");
    journal = createMemoryJournal();
    [kept, accepted, isHostile] = [undefined, "nothing", true];
  });

  const client = () =>
    createServiceClient({
      baseUrl: network.url,
      apiKey: API_KEY,
      limits: false,
      fetch(input, init) {
        const { pathname, search } = new URL(input instanceof Request ? input.url : input);
        const pass = () => fetch(input, { ...init, signal: null });
        if (!isHostile) return pass();
        if (pathname.startsWith("/execute")) {
          kept = pass;
          accepted = (JSON.parse(init?.body as string) as { readonly requestId: string }).requestId;
          return Promise.resolve(Response.json({ message: "Success", steps: [] }));
        }
        if (pathname.startsWith("/intents/status") && search.includes(accepted)) {
          return Promise.resolve(Response.json({ status: "failure" }));
        }
        return pass();
      },
    });
  const quoteOf = (change: Partial<QuoteRequest> = {}): Promise<ReceivedQuote> =>
    getQuote(client(), {
      user: account.address,
      originChainId: origin.id,
      destinationChainId: network.chains[1].id,
      originCurrency: origin.contracts.dollar,
      destinationCurrency: network.chains[1].contracts.dollar,
      tradeType: "EXACT_INPUT",
      amount: AMOUNT.toString(),
      ...change,
    });
  const execute = (quote: ReceivedQuote, parameters: Partial<ExecuteStepsParameters> = {}) =>
    executeSteps(client(), {
      quote,
      wallet: createWalletClient({
        account,
        chain: describeChain(origin.id, origin.rpcUrl),
        transport: http(origin.rpcUrl),
        pollingInterval: 25,
      }),
      trust: network.trust,
      journal,
      freshness: false,
      pollIntervalMs: 25,
      refundGraceMs: 0,
      ...parameters,
    });
  const held = () => dollarsOf(origin, account.address);

  for (const [name, change, parameters] of [
    ["a batch", { originGasOverhead: 80_000 }, { gasless: true }],
    ["an authorization (EIP-3009)", { usePermit: true }, {}],
  ] as const) {
    describe(`for ${name}`, () => {
      let first: ReceivedQuote;
      beforeEach(async () => {
        first = await quoteOf(change);
        expect(await failureOf(execute(first, parameters))).to.include({ code: "REQUEST_NOT_FILLED" });
        expect(kept).to.be.a("function");
      });

      it("is refused while the signature can still be used", async () => {
        const error = await failureOf(execute(await quoteOf()));
        expect(error)
          .to.be.instanceOf(PaymentUnresolvedError)
          .and.include({ requestId: requestIdOf(first) });
        expect((error as PaymentUnresolvedError).payableUntil).to.be.a("number");
        expect(await held()).to.equal(AMOUNT * 4n);
      });

      it("is refused after the signature was used, until its request has ended", async () => {
        const second = await quoteOf();
        expect(await kept?.()).to.include({ status: 200 });
        await until(async () => (await held()) === AMOUNT * 3n, { what: "the payment" });
        expect(await failureOf(execute(second))).to.include({
          code: "PAYMENT_UNRESOLVED",
          requestId: requestIdOf(first),
          payableUntil: undefined,
        });
        isHostile = false;
        expect((await execute(first, parameters)).status).to.include({ status: "success" });
        expect((await execute(second)).status).to.include({ status: "success" });
        expect(await held()).to.equal(AMOUNT * 2n);
      });
    });
  }
});
