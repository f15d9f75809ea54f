import { expect } from "chai";
import { type Address, zeroAddress } from "viem";
import { entryPoint07Address } from "viem/account-abstraction";
import { sendTransaction } from "viem/actions";

import { createServiceClient } from "../../../sdk/src/index.ts";
import type { Quote } from "../../../sdk/src/protocol/complete.ts";
import type { QuoteRequest } from "../../../sdk/src/protocol/index.ts";
import type { LocalnetChain } from "../../../src/localnet/index.ts";
import { expectLive, getQuote } from "../../support/complete.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { dollarsOf, reader, userWallet } from "../support/parties.ts";
import { requestIdOf, watchToEnd } from "../support/requests.ts";
import { type Answer, post, recordOf } from "../support/serviceCalls.ts";
import { callsOf } from "./batches.ts";
import { accountOf, nonceOf, type OperationChange, signOperation, transferOf } from "./operations.ts";
import { outrun, PREFERRED_FEES } from "./support.ts";

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
  const sign = (quoted: Quote, change: OperationChange = {}) =>
    signOperation(network.accounts.user, origin, callsOf(quoted), change);
  const depositsOf = async (requestId: string) => (await recordOf(network, requestId)).protocol?.deposit?.origin;

  it("run on the published EntryPoint, which is at its live address", () => {
    expect(origin.contracts.entryPoint).to.equal(entryPoint07Address);
    // Of the service's published example.
    expect(origin.contracts.accountFactory).to.equal("0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985");
  });

  it("deploy the account, deposit and fill, and neither account nor owner pays gas", async () => {
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

  const attacks: readonly (readonly [what: string, reason: string, change: () => Promise<OperationChange>])[] = [
    ["replayed", "AA25 invalid account nonce", async () => ({ nonce: (await nonceOf(origin, account)) - 1n })],
    [
      "ahead of its nonce",
      "AA25 invalid account nonce",
      async () => ({ nonce: (await nonceOf(origin, account)) + 1n }),
    ],
    ["signed for another chain", "AA24 signature error", () => Promise.resolve({ chainId: destination.id })],
    ["signed by another account", "AA24 signature error", () => Promise.resolve({ signer: network.accounts.stranger })],
    [
      "changed after it was signed",
      "AA24 signature error",
      () => Promise.resolve({ callsAfterSigning: [transferOf(origin, network.accounts.stranger.address, 1n)] }),
    ],
  ];
  for (const [what, reason, change] of attacks) {
    it(`are refused when the operation is ${what}, with the EntryPoint's reason`, async () => {
      const quoted = await quote();
      const requestId = requestIdOf(quoted);
      const answer = await execute(await sign(quoted, await change()), requestId);
      expect(answer.status).to.equal(400);
      expectLive("POST /execute 400", answer.body);
      expect(answer.body).to.include({ error: "FAILED_OP", requestId });
      expect(answer.body).to.have.nested.property("details.revert.args.reason", reason);
      expect(answer.body).to.have.nested.property("details.topLevel.function", "handleOps");
      expect(answer.body).to.have.nested.property("details.topLevel.contract", "entryPoint");
      expect((await recordOf(network, requestId)).status).to.equal("waiting");
    });
  }

  it("pay once when someone else sends the operation first", async () => {
    const quoted = await quote();
    const requestId = requestIdOf(quoted);
    const held = await dollarsOf(origin, account);
    const data = await sign(quoted);
    const wallet = userWallet(network, origin);
    await outrun(
      network,
      async () => expect((await execute(data, requestId)).status).to.equal(200),
      () => sendTransaction(wallet, { to: origin.contracts.entryPoint, data, ...PREFERRED_FEES, gas: 1_500_000n }),
    );
    expect((await watchToEnd(network, requestId)).status).to.equal("success");
    expect(held - (await dollarsOf(origin, account))).to.equal(50_000_000n);
  });

  it("end in failure when the account's calls revert, although the EntryPoint does not", async () => {
    const held = await dollarsOf(origin, account);
    const quoted = await quote();
    const requestId = requestIdOf(quoted);
    const tooMuch = transferOf(origin, network.accounts.stranger.address, held + 1n);
    const data = await signOperation(network.accounts.user, origin, [...callsOf(quoted), tooMuch]);
    expect((await execute(data, requestId)).status).to.equal(200);
    expect(await watchToEnd(network, requestId)).to.include({ status: "failure", failReason: "TRANSACTION_REVERTED" });
    expect(await dollarsOf(origin, account)).to.equal(held);
  });

  it("end a swap on one chain by what the account did", async () => {
    const oneChain = { destinationChainId: origin.id, destinationCurrency: zeroAddress, originGasOverhead: 0 };
    const held = await dollarsOf(origin, account);
    const failing = await quote(oneChain);
    const tooMuch = transferOf(origin, network.accounts.stranger.address, held + 1n);
    const reverted = await signOperation(network.accounts.user, origin, [...callsOf(failing), tooMuch]);
    expect((await execute(reverted, requestIdOf(failing))).status).to.equal(200);
    expect((await watchToEnd(network, requestIdOf(failing))).status).to.equal("failure");
    expect(await dollarsOf(origin, account)).to.equal(held);

    const working = await quote(oneChain);
    expect((await execute(await sign(working), requestIdOf(working))).status).to.equal(200);
    expect((await watchToEnd(network, requestIdOf(working))).status).to.equal("success");
    expect(held - (await dollarsOf(origin, account))).to.equal(50_000_000n);
  });

  it("need no quote, and the API key pays their gas", async () => {
    const stranger = network.accounts.stranger.address;
    const before = await dollarsOf(origin, stranger);
    const data = await signOperation(network.accounts.user, origin, [transferOf(origin, stranger, 7n)]);
    const { status, body } = await execute(data);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect((await watchToEnd(network, (body as { requestId: string }).requestId)).status).to.equal("success");
    expect((await dollarsOf(origin, stranger)) - before).to.equal(7n);
  });

  it("run at the destination as one of the calls", async () => {
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
