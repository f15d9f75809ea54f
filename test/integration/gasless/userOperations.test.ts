import { expect } from "chai";
import { type Address, zeroAddress } from "viem";
import { entryPoint07Address } from "viem/account-abstraction";

import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { expectLive, getQuote } from "../../support/complete.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { dollarsOf, reader } from "../support/parties.ts";
import { requestIdOf, watchToEnd } from "../support/requests.ts";
import { type Answer, post, recordOf } from "../support/serviceCalls.ts";
import { callsOf } from "./batches.ts";
import { accountOf, signOperation, transferOf } from "./operations.ts";

const API_KEY = "crosscall-local";

describe("ERC-4337 user operations that the service sends", () => {
  const network = useNetwork({ apiKeys: [API_KEY], sponsoringApiKeys: [API_KEY] });
  let origin: LocalnetChain;
  let destination: LocalnetChain;
  let account: Address;

  before(async () => {
    [origin, destination] = network.chains;
    account = await accountOf(origin, network.accounts.user);
    await origin.fund(account, "USDC", 1_000_000_000n);
  });

  const quote = (change: Partial<QuoteRequest> = {}): Promise<Quote> =>
    getQuote(createServiceClient({ baseUrl: network.url, apiKey: API_KEY }), {
      user: account,
      recipient: network.accounts.user.address,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: origin.contracts.dollar,
      destinationCurrency: destination.contracts.dollar,
      tradeType: "EXACT_INPUT",
      amount: "50000000",
      originGasOverhead: 300_000,
      ...change,
    });
  const execute = (data: string, requestId?: string): Promise<Answer> =>
    post(
      network,
      "/execute",
      {
        executionKind: "rawCalls",
        data: { chainId: origin.id, to: origin.contracts.entryPoint, data, value: "0" },
        executionOptions: { referrer: "", subsidizeFees: false },
        ...(requestId === undefined ? {} : { requestId }),
      },
      { "x-api-key": API_KEY },
    );
  const sign = (quoted: Quote) => signOperation(network.accounts.user, origin, callsOf(quoted));
  const oneChain = (): Partial<QuoteRequest> => ({
    destinationChainId: origin.id,
    destinationCurrency: zeroAddress,
    originGasOverhead: 0,
  });
  const depositsOf = async (requestId: string) => (await recordOf(network, requestId)).protocol?.deposit?.origin;

  it("run on the published EntryPoint at its live address", () => {
    expect(origin.contracts.entryPoint).to.equal(entryPoint07Address);
    // Values from the service's published example.
    expect(origin.contracts.accountFactory).to.equal("0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985");
  });

  it("deploy the account, deposit and fill without gas from the account or its owner", async () => {
    expect(await reader(origin).getCode({ address: account })).to.equal(undefined);
    const quoted = await quote();
    const requestId = requestIdOf(quoted);
    const received = await dollarsOf(destination, network.accounts.user.address);
    const native = await reader(origin).getBalance({ address: network.accounts.user.address });
    const answer = await execute(await sign(quoted), requestId);
    expect(answer).to.deep.equal({ status: 200, body: { message: "Transaction submitted", requestId } });
    expectLive("POST /execute 200", answer.body);
    expect((await watchToEnd(network, requestId)).status).to.equal("success");

    expect(await reader(origin).getCode({ address: account })).to.not.equal(undefined);
    expect(await reader(origin).getBalance({ address: account })).to.equal(0n);
    expect(await reader(origin).getBalance({ address: network.accounts.user.address })).to.equal(native);
    expect((await dollarsOf(destination, network.accounts.user.address)) - received).to.equal(
      BigInt(quoted.details.currencyOut.amount),
    );
    expect(await depositsOf(requestId)).to.include({ depositor: account });
    expect((await recordOf(network, requestId)).features).to.deep.equal(["gasless_execution"]);
  });

  it("complete a same-chain swap with the account's calls", async () => {
    const held = await dollarsOf(origin, account);
    const quoted = await quote(oneChain());
    expect((await execute(await sign(quoted), requestIdOf(quoted))).status).to.equal(200);
    expect((await watchToEnd(network, requestIdOf(quoted))).status).to.equal("success");
    expect(held - (await dollarsOf(origin, account))).to.equal(50_000_000n);
  });

  it("need no quote, and charge their gas to the API key", async () => {
    const stranger = network.accounts.stranger.address;
    const before = await dollarsOf(origin, stranger);
    const data = await signOperation(network.accounts.user, origin, [transferOf(origin, stranger, 7n)]);
    const { status, body } = await execute(data);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect((await watchToEnd(network, (body as { requestId: string }).requestId)).status).to.equal("success");
    expect((await dollarsOf(origin, stranger)) - before).to.equal(7n);
  });

  it("run on the destination chain as one of the request's calls", async () => {
    const owner = network.accounts.user;
    const there = await accountOf(destination, owner);
    const stranger = network.accounts.stranger.address;
    await destination.fund(there, "USDC", 5_000_000n);
    const data = await signOperation(owner, destination, [transferOf(destination, stranger, 5_000_000n)]);
    const before = await dollarsOf(destination, stranger);
    const quoted = await quote({
      tradeType: "EXACT_OUTPUT",
      amount: "1000000",
      originGasOverhead: 300_000,
      txs: [
        transferOf(destination, stranger, 1_000_000n),
        { to: destination.contracts.entryPoint, value: 0n, data },
      ].map((call) => ({ ...call, value: call.value.toString() })),
    });
    expect((await execute(await sign(quoted), requestIdOf(quoted))).status).to.equal(200);
    expect((await watchToEnd(network, requestIdOf(quoted))).status).to.equal("success");
    expect((await dollarsOf(destination, stranger)) - before).to.equal(6_000_000n);
  });
});
