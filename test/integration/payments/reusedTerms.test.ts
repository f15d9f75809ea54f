import { expect } from "chai";
import { type Address, createWalletClient, getAddress, http, parseEther } from "viem";
import { toAccount } from "viem/accounts";

import {
  createMemoryJournal,
  createServiceClient,
  executeSteps,
  type ExecuteStepsParameters,
  type ExecutionJournal,
  getQuote,
  QuoteRefusedError,
  requestIdOf,
} from "../../../packages/sdk/src/index.ts";
import type { ReceivedQuote } from "../../../packages/protocol/src/quote/quoteFreshness.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { dollarsOf, mintDollars, reader } from "../support/parties.ts";
import { etherRequest } from "../support/requests.ts";

const AMOUNT = 50_000_000n;
const ATTACKER: Address = getAddress("0x00000000000000000000000000000000000c0de5");

describe("a quote that changes, or that a service sends again", () => {
  const network = useNetwork();
  let journal: ExecutionJournal;
  let signatures: number;

  before(() => mintDollars(network, network.chains[0], AMOUNT * 100n));
  beforeEach(() => {
    journal = createMemoryJournal();
    signatures = 0;
  });

  const origin = () => network.chains[0];
  const client = () => createServiceClient({ baseUrl: network.url, limits: false });
  const quoteEther = (change = {}) =>
    getQuote(client(), etherRequest(network, { amount: parseEther("0.1").toString(), ...change }));
  const quoteDollars = () =>
    quoteEther({ originCurrency: origin().contracts.dollar, amount: AMOUNT.toString(), slippageTolerance: "100" });
  const wallet = () => {
    const { user } = network.accounts;
    const account = toAccount({
      address: user.address,
      signMessage: (message) => user.signMessage(message),
      signTypedData: (data) => user.signTypedData(data),
      signTransaction(transaction, options) {
        signatures += 1;
        return user.signTransaction(transaction, options);
      },
    });
    return createWalletClient({
      account,
      chain: describeChain(origin().id, origin().rpcUrl),
      transport: http(origin().rpcUrl),
      pollingInterval: 25,
    });
  };
  const execute = (quote: ReceivedQuote, parameters: Partial<ExecuteStepsParameters> = {}) =>
    executeSteps(client(), {
      quote,
      wallet: wallet(),
      trust: network.trust,
      journal,
      freshness: false,
      pollIntervalMs: 25,
      ...parameters,
    });
  const renamed = (quote: ReceivedQuote, requestId: string): ReceivedQuote =>
    JSON.parse(JSON.stringify(quote).replaceAll(requestIdOf(quote), requestId)) as ReceivedQuote;
  const balances = async () => [
    await dollarsOf(origin(), ATTACKER),
    await reader(origin()).getBalance({ address: ATTACKER }),
  ];

  it("does not pay for an order again under another request id", async () => {
    const quote = await quoteEther();
    await execute(quote);
    const again = renamed(quote, `0x${"77".repeat(32)}`);
    expect(await failureOf(execute(again))).to.include({ code: "INVALID_STATE" });
    expect(signatures).to.equal(1);
  });

  it("does not pay again under the same id in a different letter case", async () => {
    const quote = await quoteEther();
    await execute(quote);
    const { transactions } = await execute(renamed(quote, `0x${requestIdOf(quote).slice(2).toUpperCase()}`)).catch(
      () => ({ transactions: [] }),
    );
    expect(transactions.length).to.be.at.most(1);
    expect(signatures).to.equal(1);
  });

  it("resumes after storage reorders the quote's keys", async () => {
    const reorder = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reorder);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, inner]) => [key, reorder(inner)]),
      );
    };
    const quote = await quoteDollars();
    const first = await execute(quote);
    const second = await execute(reorder(quote) as ReceivedQuote);
    expect(second.transactions.at(-1)).to.deep.equal(first.transactions.at(-1));
    expect(signatures).to.equal(first.transactions.length);
  });

  it("rejects a replacement from the journal that belongs to another request", async () => {
    const [quote, other] = [await quoteEther(), await quoteEther({ recipient: ATTACKER })];
    await journal.set(`${requestIdOf(quote)}/successor`, JSON.stringify(other));
    const error = await failureOf(execute(quote));
    expect(error).to.be.instanceOf(QuoteRefusedError);
    expect(signatures).to.equal(0);
  });

  it("pays the verified quote if a listener changes the caller's objects", async () => {
    const [quote, before] = [await quoteDollars(), await balances()];
    const request = { ...quote.quotedRequest };
    const hijack = (value: unknown): void => {
      if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
      for (const [key, inner] of Object.entries(value)) {
        if (typeof inner === "string" && /^0x[0-9a-f]{40}$/iu.test(inner)) Reflect.set(value, key, ATTACKER);
        else hijack(inner);
      }
    };
    const { status } = await execute(quote, {
      request,
      onEvent: (event) => {
        hijack(event);
        hijack(quote);
        hijack(request);
      },
    });
    expect(status).to.include({ status: "success" });
    expect(await balances()).to.deep.equal(before);
  });

  it("pays the verified quote if the caller's object returns a different value on each read", async () => {
    const [quote, other, before] = [await quoteEther(), await quoteEther({ recipient: ATTACKER }), await balances()];
    for (let honest = 1; honest <= 4; honest += 1) {
      let reads = 0;
      const turning = { ...quote };
      for (const name of ["steps", "protocol"] as const) {
        Object.defineProperty(turning, name, {
          enumerable: true,
          get: () => ((reads += 1) <= honest ? quote : other)[name],
        });
      }
      await execute(turning).catch(() => undefined);
    }
    expect(await balances()).to.deep.equal(before);
    expect(signatures).to.be.at.most(1);
  });
});
