import { convertViemChainToRelayChain, createClient } from "@relayprotocol/relay-sdk";
import { expect } from "chai";
import { type Address, encodeFunctionData, erc20Abi, http, createWalletClient, parseEther, zeroAddress } from "viem";
import { sendTransaction } from "viem/actions";

import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { expectLive, getQuote } from "../../support/complete.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { dollarsOf, reader, userWallet } from "../support/parties.ts";
import { onNode, requestIdOf, watchToEnd } from "../support/requests.ts";
import { type Answer, get, post, recordOf } from "../support/serviceCalls.ts";
import { authorize, type BatchCall, type BatchChange, callsOf, signBatch } from "./batches.ts";
import { fundPermits, outrun, PREFERRED_FEES } from "./support.ts";

const API_KEY = "crosscall-local";
const OTHER_KEY = "other-sponsor";

describe("calls that the service sends for users", () => {
  const network = useNetwork({
    apiKeys: [API_KEY, OTHER_KEY, "without-wallet"],
    sponsoringApiKeys: [API_KEY, OTHER_KEY],
    defaultApiKey: API_KEY,
  });
  let origin: LocalnetChain;
  let destination: LocalnetChain;
  let user: Address;
  let nonce = 0n;

  before(async () => {
    [origin, destination] = network.chains;
    user = network.accounts.user.address;
    await fundPermits(network, 100n);
  });

  const client = () => createServiceClient({ baseUrl: network.url, apiKey: API_KEY });
  const quote = (change: Partial<QuoteRequest> = {}): Promise<Quote> =>
    getQuote(client(), {
      user,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: origin.contracts.dollar,
      destinationCurrency: destination.contracts.dollar,
      tradeType: "EXACT_INPUT",
      amount: "50000000",
      originGasOverhead: 80_000,
      ...change,
    });
  const execute = (body: unknown, headers: Record<string, string> = { "x-api-key": API_KEY }): Promise<Answer> =>
    post(network, "/execute", body, headers);
  const bodyOf = (data: string, change: Record<string, unknown> = {}, own: Record<string, unknown> = {}) => ({
    executionKind: "rawCalls",
    data: { chainId: origin.id, to: user, data, value: "0", ...own },
    executionOptions: { referrer: "", subsidizeFees: false },
    ...change,
  });
  const isDelegated = async (): Promise<boolean> => (await reader(origin).getCode({ address: user })) !== undefined;
  const batch = async (calls: readonly BatchCall[], change: BatchChange = {}) => {
    const data = await signBatch(network.accounts.user, origin, calls, { nonce, ...change });
    const authorizations = (await isDelegated())
      ? {}
      : { authorizationList: [await authorize(network.accounts.user, origin)] };
    return { data, authorizations };
  };
  const expectRefused = ({ status, body }: Answer, expected: number, error?: string): void => {
    expect(status, JSON.stringify(body)).to.equal(expected);
    expectLive(`POST /execute ${expected}`, body);
    if (error !== undefined) expect(body).to.have.property("error", error);
  };
  const balance = async (): Promise<bigint> => {
    const { body } = await get(network, `/admin/sponsors?apiKey=${API_KEY}`, { "x-admin-key": network.adminKey });
    return BigInt((body as { balance: string }).balance);
  };

  describe("authorizations", () => {
    const refused: readonly (readonly [
      what: string,
      change: () => { nonce?: number; chainId?: number },
      error: RegExp,
    ])[] = [
      ["of another chain", () => ({ chainId: destination.id }), /chainId is 31338/u],
      ["with another nonce", () => ({ nonce: 1_000 }), /nonce is 1000/u],
    ];
    for (const [what, change, error] of refused) {
      it(`are rejected ${what}, because the chain would ignore them`, async () => {
        const quoted = await quote();
        const data = await signBatch(network.accounts.user, origin, callsOf(quoted));
        const authorizationList = [await authorize(network.accounts.user, origin, change())];
        const answer = await execute(bodyOf(data, { requestId: requestIdOf(quoted) }, { authorizationList }));
        expectRefused(answer, 400);
        expect((answer.body as { error: string }).error).to.match(error);
        expect((await recordOf(network, requestIdOf(quoted))).status).to.equal("waiting");
      });
    }

    it("are rejected if the called account did not sign them, and set no code", async () => {
      const quoted = await quote();
      const data = await signBatch(network.accounts.user, origin, callsOf(quoted));
      const own = await authorize(network.accounts.user, origin);
      for (const authorizationList of [
        [{ ...own, address: origin.contracts.router }],
        [{ ...own, s: `0x${"11".repeat(32)}` }],
        [await authorize(network.accounts.stranger, origin)],
      ]) {
        expectRefused(await execute(bodyOf(data, { requestId: requestIdOf(quoted) }, { authorizationList })), 400);
      }
      expectRefused(await execute(bodyOf(data, { requestId: requestIdOf(quoted) })), 400);
    });
  });

  it("deposit and fill from a new account without gas", async () => {
    expect(await isDelegated()).to.equal(false);
    const quoted = await quote();
    const { data, authorizations } = await batch(callsOf(quoted));
    const [native, received] = await Promise.all([
      reader(origin).getBalance({ address: user }),
      dollarsOf(destination, user),
    ]);
    const before = await balance();
    // Public clients send the value as a number or as hexadecimal text.
    const own = { ...authorizations, value: "0x0" };
    const answer = await execute(bodyOf(data, { requestId: requestIdOf(quoted) }, own));
    expect(answer).to.deep.equal({
      status: 200,
      body: { message: "Transaction submitted", requestId: requestIdOf(quoted) },
    });
    expectLive("POST /execute 200", answer.body);
    expect((await watchToEnd(network, requestIdOf(quoted))).status).to.equal("success");
    nonce += 1n;

    expect(await isDelegated()).to.equal(true);
    expect(await reader(origin).getBalance({ address: user })).to.equal(native);
    expect((await dollarsOf(destination, user)) - received).to.equal(BigInt(quoted.details.currencyOut.amount));
    const record = await recordOf(network, requestIdOf(quoted));
    expect(record.features).to.deep.equal(["gasless_execution"]);
    expect(record.protocol?.deposit?.origin).to.include({ depositor: user });
    // The user pays for the gas out of the output.
    expect(await balance()).to.equal(before);
  });

  it("are charged to the sponsor at their actual gas cost if they are subsidized", async () => {
    const quoted = await quote({ originGasOverhead: 0 });
    const { data } = await batch(callsOf(quoted));
    const before = await balance();
    const options = { executionOptions: { referrer: "", subsidizeFees: true }, requestId: requestIdOf(quoted) };
    expect((await execute(bodyOf(data, options))).status).to.equal(200);
    const { inTxHashes } = await watchToEnd(network, requestIdOf(quoted));
    nonce += 1n;
    const hash = (inTxHashes?.[0] ?? "0x") as `0x${string}`;
    const { gasUsed, effectiveGasPrice } = await reader(origin).getTransactionReceipt({ hash });
    const spent = before - (await balance());
    // The local price of ether is 2,500 US dollars, and the balance is in millionths of a dollar.
    const worth = Number(gasUsed * effectiveGasPrice * 2_500n) / 1e12;
    expect(Math.abs(Number(spent) - worth)).to.be.below(2);
  });

  it("run on one chain, and complete the request with the call", async () => {
    const quoted = await quote({
      destinationChainId: origin.id,
      destinationCurrency: zeroAddress,
      originGasOverhead: 0,
    });
    const before = await reader(origin).getBalance({ address: user });
    const { data } = await batch(callsOf(quoted));
    const requestId = requestIdOf(quoted);
    expect((await execute(bodyOf(data, { requestId }))).status).to.equal(200);
    const { status, txHashes } = await watchToEnd(network, requestId);
    nonce += 1n;
    expect([status, txHashes?.length]).to.deep.equal(["success", 1]);
    const received = (await reader(origin).getBalance({ address: user })) - before;
    expect(received >= BigInt(quoted.details.currencyOut.minimumAmount ?? 0)).to.equal(true);
    expect((await recordOf(network, requestId)).requestType).to.equal("Same-chain Swap");
  });

  it("need no quote, and create their own request", async () => {
    const stranger = network.accounts.stranger.address;
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [stranger, 7n] });
    const { data } = await batch([{ to: origin.contracts.dollar, value: 0n, data: transfer }]);
    const before = [await dollarsOf(origin, stranger), await balance()] as const;
    const { status, body } = await execute(bodyOf(data, {}, { value: 0 }));
    expect(status, JSON.stringify(body)).to.equal(200);
    const { requestId } = body as { requestId: string };
    const ended = await watchToEnd(network, requestId);
    nonce += 1n;
    expect([ended.status, ended.txHashes?.length]).to.deep.equal(["success", 1]);
    expect((await dollarsOf(origin, stranger)) - before[0]).to.equal(7n);
    expect((await balance()) < before[1]).to.equal(true);
    const record = await recordOf(network, requestId);
    expect(record).to.include({ requestType: "Call", user, protocol: null });
    expect(record.features).to.deep.equal(["gasless_execution"]);
  });

  it("run the unmodified gasless batch of the published SDK", async () => {
    const { actions } = createClient({
      baseApiUrl: network.url,
      apiKey: API_KEY,
      source: "crosscall-test",
      chains: network.chains.map(({ id, rpcUrl }) => convertViemChainToRelayChain(describeChain(id, rpcUrl))),
      pollingInterval: 50,
      websocket: { enabled: false },
    });
    const account = network.accounts.spare[0];
    if (account === undefined) throw new Error("the network has no spare account");
    const chain = describeChain(origin.id, origin.rpcUrl);
    const walletClient = createWalletClient({ account, chain, transport: http(origin.rpcUrl) });
    const amount = parseEther("0.5");
    for (const times of [1, 2]) {
      const before = await dollarsOf(destination, account.address);
      const quoted = await actions.getQuote({
        chainId: origin.id,
        toChainId: destination.id,
        currency: zeroAddress,
        toCurrency: destination.contracts.dollar,
        amount: amount.toString(),
        tradeType: "EXACT_INPUT",
        user: account.address,
        recipient: account.address,
        options: { originGasOverhead: 80_000 },
      });
      const states: string[] = [];
      const { requestId } = await actions.executeGaslessBatch({
        quote: quoted,
        walletClient,
        onProgress: ({ status }) => states.push(status),
      });
      expect(states.at(-1), `time ${times}`).to.equal("success");
      expect((await recordOf(network, requestId)).features).to.deep.equal(["gasless_execution"]);
      const received = (await dollarsOf(destination, account.address)) - before;
      expect(received).to.equal(BigInt(quoted.details?.currencyOut?.amount ?? 0));
    }
  });

  describe("are rejected", () => {
    it("without a key, with an unknown key, or with a key that has no wallet", async () => {
      const { data } = await batch([]);
      expectRefused(await execute(bodyOf(data), { "x-api-key": "unknown" }), 401, "Unauthorized");
      expectRefused(await execute(bodyOf(data), { "x-api-key": "without-wallet" }), 401);
    });

    const body = () => bodyOf("0x12");
    const malformed: readonly (readonly [error: string | undefined, body: () => unknown])[] = [
      ["to is required", () => ({ ...body(), data: { ...body().data, to: undefined } })],
      ["data is required", () => ({ ...body(), data: { ...body().data, data: undefined } })],
      ["value is required", () => ({ ...body(), data: { ...body().data, value: undefined } })],
      ["chainId is required", () => ({ ...body(), data: { ...body().data, chainId: undefined } })],
      ["authorizationList cannot be empty", () => ({ ...body(), data: { ...body().data, authorizationList: [] } })],
      [undefined, () => ({ ...body(), executionKind: "other" })],
      [undefined, () => ({ ...body(), data: { ...body().data, chainId: 424_242 } })],
      [undefined, () => ({ ...body(), data: { ...body().data, value: "1" } })],
      [undefined, () => ({ ...body(), requestId: `0x${"22".repeat(32)}` })],
      [undefined, () => ({ ...body(), executionOptions: { destinationChainExecutionData: { calls: [] } } })],
      [undefined, () => ({ ...body(), executionOptions: { referrer: "a\0b" } })],
      [undefined, () => []],
    ];
    for (const [index, [error, make]] of malformed.entries()) {
      it(`with the documented error: ${error ?? `case ${index}`}`, async () => {
        expectRefused(await execute(make()), 400, error);
      });
    }

    it("with a body that is not JSON", async () => {
      const answer = await post(network, "/execute", "{", { "x-api-key": API_KEY });
      expectRefused(answer, 400);
    });

    const attacks: readonly (readonly [label: string, what: string, change: () => BatchChange])[] = [
      ["INVALID_NONCE", "replayed", () => ({ nonce: nonce - 1n })],
      ["INVALID_NONCE", "ahead of their nonce", () => ({ nonce: nonce + 1n })],
      ["SIGNATURE_EXPIRED", "expired", () => ({ deadline: 1n })],
      ["INVALID_SIGNATURE", "signed for another chain", () => ({ chainId: destination.id })],
      ["INVALID_SIGNATURE", "signed by another account", () => ({ signer: network.accounts.stranger })],
    ];
    for (const [label, what, change] of attacks) {
      it(`when the batch is ${what}, with the decoded error`, async () => {
        const quoted = await quote();
        const { data } = await batch(callsOf(quoted), change());
        const requestId = requestIdOf(quoted);
        const answer = await execute(bodyOf(data, { requestId }));
        expectRefused(answer, 400, label);
        expect(answer.body).to.have.property("requestId", requestId);
        expect(answer.body).to.have.nested.property("details.revert.type", "customError");
        expect(answer.body).to.have.nested.property("details.topLevel.function", "execute");
        expect((await recordOf(network, requestId)).status).to.equal("waiting");
      });
    }

    it("when a call in the batch fails, with the path to the failing call", async () => {
      const { dollar } = origin.contracts;
      const transfer = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [zeroAddress, 1n] });
      const { data } = await batch([{ to: dollar, value: 0n, data: transfer }]);
      const answer = await execute(bodyOf(data));
      expectRefused(answer, 400, "ERC20_INVALID_RECEIVER");
      const { details } = answer.body as {
        details: { path: { function?: string }[]; innermost: unknown; revert: { args: unknown } };
      };
      expect(details.path.map((frame) => frame.function)).to.deep.equal(["execute", "transfer"]);
      expect(details.innermost).to.include({
        contract: "dollar",
        address: dollar.toLowerCase(),
        selector: "0xa9059cbb",
      });
      expect(details.revert.args).to.deep.equal({ receiver: zeroAddress });
    });

    it("for a request that another call already pays for, and the request is paid only once", async () => {
      const quoted = await quote();
      const requestId = requestIdOf(quoted);
      const { data } = await batch(callsOf(quoted));
      const before = await dollarsOf(origin, user);
      const answers = await Promise.all([1, 2, 3].map(() => execute(bodyOf(data, { requestId }))));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 400, 400]);
      expect((await watchToEnd(network, requestId)).status).to.equal("success");
      nonce += 1n;
      expectRefused(await execute(bodyOf(data, { requestId })), 400);
      expect(before - (await dollarsOf(origin, user))).to.equal(50_000_000n);
    });

    it("for a request made with another key", async () => {
      const quoted = await quote();
      const requestId = requestIdOf(quoted);
      const { data } = await batch(callsOf(quoted));
      const answer = await execute(bodyOf(data, { requestId }), { "x-api-key": OTHER_KEY });
      expectRefused(answer, 401, `Unauthorized: request ${requestId} was quoted with a different API key`);
      expect((await recordOf(network, requestId)).status).to.equal("waiting");
    });

    it("for a request that a permit already pays for", async () => {
      const quoted = await quote({ usePermit: true });
      const { data } = await batch([]);
      expectRefused(await execute(bodyOf(data, { requestId: requestIdOf(quoted) })), 400);
    });

    it("when the sponsor's balance does not cover the gas", async () => {
      const quoted = await quote();
      const { data } = await batch(callsOf(quoted));
      const admin = { "x-admin-key": network.adminKey };
      const held = await balance();
      await post(network, "/admin/sponsors", { apiKey: API_KEY, balance: "1" }, admin);
      const options = { executionOptions: { subsidizeFees: true }, requestId: requestIdOf(quoted) };
      expectRefused(await execute(bodyOf(data, options)), 400);
      expect(await balance()).to.equal(1n);
      await post(network, "/admin/sponsors", { apiKey: API_KEY, balance: held.toString() }, admin);
    });
  });

  it("are sponsored up to the balance, even concurrently", async () => {
    const admin = { "x-admin-key": network.adminKey };
    const setBalance = (amount: bigint) =>
      post(network, "/admin/sponsors", { apiKey: API_KEY, balance: amount.toString() }, admin);
    const held = await balance();
    const { dollar } = origin.contracts;
    const call = () =>
      execute(
        bodyOf(encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [user, 0n] }), {}, { to: dollar }),
      );
    const endOf = ({ body }: Answer) => watchToEnd(network, (body as { requestId: string }).requestId);
    await onNode(origin, "evm_setAutomine", false);
    const first = await call();
    const reserved = held - (await balance());
    await onNode(origin, "evm_setAutomine", true);
    await onNode(origin, "evm_mine");
    expect((await endOf(first)).status).to.equal("success");

    await setBalance((reserved * 3n) / 2n);
    const answers = await Promise.all([1, 2, 3].map(call));
    const accepted = answers.filter(({ status }) => status === 200);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectRefused(answer, 400, "the balance of the API key does not cover the gas of the call");
    }
    expect(accepted).to.have.length(1);
    for (const answer of accepted) expect((await endOf(answer)).status).to.equal("success");
    const left = await balance();
    expect([left > 0n, left < (reserved * 3n) / 2n]).to.deep.equal([true, true]);
    await setBalance(held);
  });

  it("spend none of the service's tokens", async () => {
    const { dollar } = origin.contracts;
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [user, 1n] });
    const answer = await execute(bodyOf(transfer, {}, { to: dollar }));
    expectRefused(answer, 400, "ERC20_INSUFFICIENT_BALANCE");
  });

  describe("that other accounts send first", () => {
    it("are paid and filled once", async () => {
      const quoted = await quote();
      const requestId = requestIdOf(quoted);
      const { data } = await batch(callsOf(quoted));
      const before = await dollarsOf(origin, user);
      const rival = createWalletClient({
        account: network.accounts.stranger,
        chain: describeChain(origin.id, origin.rpcUrl),
        transport: http(origin.rpcUrl),
      });
      await outrun(
        network,
        () => execute(bodyOf(data, { requestId })),
        () => sendTransaction(rival, { to: user, data, ...PREFERRED_FEES }),
      );
      expect((await watchToEnd(network, requestId)).status).to.equal("success");
      nonce += 1n;
      expect(before - (await dollarsOf(origin, user))).to.equal(50_000_000n);
    });

    it("fail without a payment if the user revokes the batch first", async () => {
      const quoted = await quote();
      const requestId = requestIdOf(quoted);
      const { data } = await batch(callsOf(quoted));
      const other = await batch([]);
      const before = await dollarsOf(origin, user);
      await outrun(
        network,
        () => execute(bodyOf(data, { requestId })),
        () => sendTransaction(userWallet(network, origin), { to: user, data: other.data, ...PREFERRED_FEES }),
      );
      const { status, failReason, details } = await watchToEnd(network, requestId);
      nonce += 1n;
      expect([status, failReason, details]).to.deep.equal([
        "failure",
        "TRANSACTION_REVERTED",
        "TRANSACTION_REVERTED: InvalidNonce()",
      ]);
      expect(await dollarsOf(origin, user)).to.equal(before);
    });
  });
});
