import { expect } from "chai";
import { type Address, concat, encodeFunctionData, type Hex, numberToHex, parseAbi, zeroAddress } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { expectLive, getQuote } from "../../support/complete.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { dollarsOf, userWallet } from "../support/parties.ts";
import { onNode, requestIdOf, watchToEnd } from "../support/requests.ts";
import { type Answer, post, recordOf } from "../support/serviceCalls.ts";
import { type BatchCall, callsOf } from "./batches.ts";
import { accountOf, nonceOf, type OperationChange, signOperation, transferOf } from "./operations.ts";
import { outrun, PREFERRED_FEES } from "./support.ts";

const API_KEY = "crosscall-local";

/** EntryPoint in an older format, which a page of the live service still shows. */
const OLD_ENTRY_POINT = "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789";

const OLD_ABI = parseAbi([
  "struct UserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }",
  "function handleOps(UserOperation[] ops, address beneficiary)",
]);

const ACCOUNT_ABI = parseAbi(["function execute(address dest, uint256 value, bytes func)"]);

describe("ERC-4337 user operations under attack", () => {
  const network = useNetwork({ apiKeys: [API_KEY], sponsoringApiKeys: [API_KEY] });
  let origin: LocalnetChain;
  let destination: LocalnetChain;
  let account: Address;

  before(async () => {
    [origin, destination] = network.chains;
    account = await accountOf(origin, network.accounts.user);
    await origin.fund(account, "USDC", 10_000_000_000n);
    // Deploys it.
    const { body } = await execute(await signOperation(network.accounts.user, origin, []));
    await watchToEnd(network, (body as { requestId: string }).requestId);
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
  const oneChain = (): Partial<QuoteRequest> => ({
    destinationChainId: origin.id,
    destinationCurrency: zeroAddress,
    originGasOverhead: 0,
  });
  const execute = (data: string, requestId?: string, to: Address = origin.contracts.entryPoint): Promise<Answer> =>
    post(
      network,
      "/execute",
      {
        executionKind: "rawCalls",
        data: { chainId: origin.id, to, data, value: "0" },
        ...(requestId === undefined ? {} : { requestId }),
      },
      { "x-api-key": API_KEY },
    );
  const signCalls = (calls: readonly BatchCall[], change: OperationChange = {}): Promise<Hex> =>
    signOperation(network.accounts.user, origin, calls, change);
  const sign = (quoted: Quote, change: OperationChange = {}): Promise<Hex> => signCalls(callsOf(quoted), change);
  const tooMuch = async (): Promise<BatchCall> =>
    transferOf(origin, network.accounts.stranger.address, (await dollarsOf(origin, account)) + 1n);

  function expectRefused({ status, body }: Answer, error: string, requestId: string): void {
    expect(status, JSON.stringify(body)).to.equal(400);
    expectLive("POST /execute 400", body);
    expect(body).to.include({ error, requestId });
  }

  async function expectWaiting(requestId: string, held: bigint): Promise<void> {
    expect((await recordOf(network, requestId)).status).to.equal("waiting");
    expect(await dollarsOf(origin, account)).to.equal(held);
  }

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
      "changed to another recipient after it was signed",
      "AA24 signature error",
      () =>
        Promise.resolve({ callsAfterSigning: [transferOf(origin, network.accounts.stranger.address, 50_000_000n)] }),
    ],
    [
      "changed to another amount after it was signed",
      "AA24 signature error",
      () => Promise.resolve({ callsAfterSigning: [transferOf(origin, origin.contracts.depository, 49_000_000n)] }),
    ],
    [
      "one that pays for gas, but whose account has no deposit",
      "AA21 didn't pay prefund",
      () => Promise.resolve({ fields: { maxFeePerGas: 1n } }),
    ],
    [
      "one that deploys the account again",
      "AA10 sender already constructed",
      () => Promise.resolve({ fields: { factory: origin.contracts.accountFactory, factoryData: "0x" } }),
    ],
    ["without a beneficiary", "AA90 invalid beneficiary", () => Promise.resolve({ beneficiary: zeroAddress })],
  ];
  for (const [what, reason, change] of attacks) {
    it(`are rejected when the operation is ${what}, with the EntryPoint's reason`, async () => {
      const quoted = await quote();
      const held = await dollarsOf(origin, account);
      const answer = await execute(await sign(quoted, await change()), requestIdOf(quoted));
      const { revert } = (answer.body as { details: { revert: { message: string } } }).details;
      expectRefused(answer, reason.startsWith("AA90") ? "AA90_INVALID_BENEFICIARY" : "FAILED_OP", requestIdOf(quoted));
      expect(revert.message).to.include(reason);
      expect(answer.body).to.have.nested.property("details.topLevel.function", "handleOps");
      expect(answer.body).to.have.nested.property("details.topLevel.contract", "entryPoint");
      await expectWaiting(requestIdOf(quoted), held);
    });
  }

  it("are rejected when the account reports that the operation has expired", async () => {
    const quoted = await quote();
    const held = await dollarsOf(origin, account);
    const expiring = "0x00000000000000000000000000000000000a4337";
    // Code that responds to every call with a validity that ended at timestamp 1.
    const validity = numberToHex(1n << 160n, { size: 32 });
    await onNode(origin, "hardhat_setCode", expiring, concat(["0x7f", validity, "0x5f5260205ff3"]));
    const answer = await execute(await sign(quoted, { fields: { sender: expiring, nonce: 0n } }), requestIdOf(quoted));
    expectRefused(answer, "FAILED_OP", requestIdOf(quoted));
    expect(answer.body).to.have.nested.property("details.revert.args.reason", "AA22 expired or not due");
    await expectWaiting(requestIdOf(quoted), held);
  });

  it("pay once when the same operation is posted again, even for another request", async () => {
    const [quoted, other] = [await quote(), await quote()];
    const held = await dollarsOf(origin, account);
    const data = await sign(quoted);
    expectRefused(
      await execute(data, requestIdOf(other)),
      `the call deposits nothing for request ${requestIdOf(other)}`,
      requestIdOf(other),
    );
    const answers = await Promise.all([1, 2, 3].map(() => execute(data, requestIdOf(quoted))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 400, 400]);
    expect((await watchToEnd(network, requestIdOf(quoted))).status).to.equal("success");
    for (const requestId of [requestIdOf(quoted), requestIdOf(other), undefined]) {
      expect((await execute(data, requestId)).status).to.equal(400);
    }
    await expectWaiting(requestIdOf(other), held - 50_000_000n);
  });

  for (const [what, change] of [
    ["on two chains", () => ({})],
    ["on one chain", oneChain],
  ] as const) {
    it(`are rejected with the failing call if the account's calls would revert ${what}`, async () => {
      const held = await dollarsOf(origin, account);
      const quoted = await quote(change());
      const data = await signCalls([...callsOf(quoted), await tooMuch()]);
      const answer = await execute(data, requestIdOf(quoted));
      expectRefused(answer, "ERC20_INSUFFICIENT_BALANCE", requestIdOf(quoted));
      expect(answer.body).to.have.nested.property("details.topLevel.function", "handleOps");
      expect(answer.body).to.have.nested.property("details.innermost.contract", "dollar");
      await expectWaiting(requestIdOf(quoted), held);
    });

    it(`pay once when another bundler sends the operation first ${what}`, async () => {
      const quoted = await quote(change());
      const held = await dollarsOf(origin, account);
      const data = await sign(quoted);
      const rival = await sign(quoted, { beneficiary: network.accounts.stranger.address });
      await outrun(
        network,
        async () => expect((await execute(data, requestIdOf(quoted))).status).to.equal(200),
        () =>
          sendTransaction(userWallet(network, origin), {
            ...PREFERRED_FEES,
            to: origin.contracts.entryPoint,
            data: rival,
            gas: 1_500_000n,
          }),
      );
      expect((await watchToEnd(network, requestIdOf(quoted))).status).to.equal("success");
      expect(held - (await dollarsOf(origin, account))).to.equal(50_000_000n);
    });

    it(`make the request fail without a payment if the funds are spent before the operation's block ${what}`, async () => {
      const quoted = await quote(change());
      const held = await dollarsOf(origin, account);
      const { to, data } = transferOf(origin, network.accounts.stranger.address, held);
      const give = encodeFunctionData({ abi: ACCOUNT_ABI, args: [to, 0n, data] });
      const operation = await sign(quoted);
      await outrun(
        network,
        async () => expect((await execute(operation, requestIdOf(quoted))).status).to.equal(200),
        () => sendTransaction(userWallet(network, origin), { to: account, data: give, ...PREFERRED_FEES }),
      );
      const { status, failReason, details } = await watchToEnd(network, requestIdOf(quoted));
      expect([status, failReason]).to.deep.equal(["failure", "TRANSACTION_REVERTED"]);
      expect(details).to.match(/^TRANSACTION_REVERTED: user operation: (STF|TransferFromFailed\(\))$/u);
      expect(await dollarsOf(origin, account)).to.equal(0n);
      await origin.fund(account, "USDC", held);
    });

    it(`make the request fail without a payment if the account uses the nonce before the operation's block ${what}`, async () => {
      const quoted = await quote(change());
      const held = await dollarsOf(origin, account);
      const [data, other] = [await sign(quoted), await signCalls([])];
      await outrun(
        network,
        async () => expect((await execute(data, requestIdOf(quoted))).status).to.equal(200),
        () =>
          sendTransaction(userWallet(network, origin), {
            ...PREFERRED_FEES,
            to: origin.contracts.entryPoint,
            data: other,
            gas: 1_500_000n,
          }),
      );
      expect(await watchToEnd(network, requestIdOf(quoted))).to.include({
        status: "failure",
        failReason: "ACCOUNT_ABSTRACTION_INVALID_NONCE",
        details: "ACCOUNT_ABSTRACTION_INVALID_NONCE: AA25 invalid account nonce",
      });
      expect(await dollarsOf(origin, account)).to.equal(held);
    });
  }

  for (const fields of [{ callGasLimit: 20_000n }, { verificationGasLimit: 1_000n }]) {
    it(`are rejected if the operation's gas is insufficient: ${Object.keys(fields).join()}`, async () => {
      const held = await dollarsOf(origin, account);
      const quoted = await quote();
      const answer = await execute(await sign(quoted, { fields }), requestIdOf(quoted));
      expectRefused(answer, "OUT_OF_GAS", requestIdOf(quoted));
      await expectWaiting(requestIdOf(quoted), held);
    });
  }

  it("are rejected without a request if the account's calls would revert", async () => {
    const held = await dollarsOf(origin, account);
    const answer = await execute(await signCalls([await tooMuch()]));
    expect(answer.status).to.equal(400);
    expect(answer.body).to.have.property("error", "ERC20_INSUFFICIENT_BALANCE");
    expect(await dollarsOf(origin, account)).to.equal(held);
  });

  describe("are rejected with a hint", () => {
    const old = (): Hex =>
      encodeFunctionData({
        abi: OLD_ABI,
        args: [
          [
            {
              sender: account,
              nonce: 0n,
              initCode: "0x",
              callData: "0x",
              callGasLimit: 0n,
              verificationGasLimit: 0n,
              preVerificationGas: 0n,
              maxFeePerGas: 0n,
              maxPriorityFeePerGas: 0n,
              paymasterAndData: "0x",
              signature: "0x",
            },
          ],
          account,
        ],
      });

    it("if they are in the format of v0.6", async () => {
      const quoted = await quote();
      const answer = await execute(old(), requestIdOf(quoted));
      expectRefused(answer, "EMPTY_REVERT", requestIdOf(quoted));
      expect(answer.body).to.have.property(
        "message",
        `Encode handleOps for EntryPoint v0.7, and send it to ${origin.contracts.entryPoint}.`,
      );
    });

    it("if they are for EntryPoint v0.6", async () => {
      const { status, body } = await execute(old(), undefined, OLD_ENTRY_POINT);
      expect(status).to.equal(400);
      expect((body as { error: string }).error).to.match(/has no code.*EntryPoint v0\.7/u);
    });

    it("if they are calls to the account", async () => {
      const quoted = await quote();
      const answer = await execute(await sign(quoted), requestIdOf(quoted), account);
      expectRefused(answer, "EMPTY_REVERT", requestIdOf(quoted));
      expect(answer.body).to.have.property(
        "message",
        `Send handleOps to the EntryPoint ${origin.contracts.entryPoint}.`,
      );
    });
  });

  describe("on the destination chain", () => {
    let there: Address;

    before(async () => {
      there = await accountOf(destination, network.accounts.user);
      await destination.fund(there, "USDC", 5_000_000n);
    });

    const quoteOperation = (data: Hex): Promise<Quote> =>
      quote({
        tradeType: "EXACT_OUTPUT",
        amount: "1000000",
        refundTo: account,
        txs: [
          transferOf(destination, network.accounts.stranger.address, 1_000_000n),
          { to: destination.contracts.entryPoint, value: 0n, data },
        ].map((call) => ({ ...call, value: call.value.toString() })),
      });
    const signThere = (amount: bigint, change: OperationChange = {}): Promise<Hex> =>
      signOperation(
        network.accounts.user,
        destination,
        [transferOf(destination, network.accounts.stranger.address, amount)],
        change,
      );

    async function expectRefunded(quoted: Quote, failReason: string): Promise<void> {
      const held = await dollarsOf(origin, account);
      const received = await dollarsOf(destination, network.accounts.stranger.address);
      expect((await execute(await sign(quoted), requestIdOf(quoted))).status).to.equal(200);
      expect(await watchToEnd(network, requestIdOf(quoted))).to.include({ status: "refund", failReason });
      expect(await dollarsOf(origin, account)).to.equal(held);
      expect(await dollarsOf(destination, network.accounts.stranger.address)).to.equal(received);
    }

    it("are refunded if the account's calls would revert", async () => {
      const quoted = await quoteOperation(await signThere(5_000_001n));
      await expectRefunded(quoted, "TRANSFER_AMOUNT_EXCEEDS_BALANCE");
    });

    it("are refunded if the account's calls would run out of gas", async () => {
      const quoted = await quoteOperation(await signThere(1n, { fields: { callGasLimit: 10_000n } }));
      await expectRefunded(quoted, "ACCOUNT_ABSTRACTION_GAS_LIMIT");
    });

    it("are refunded if another account signed them", async () => {
      const quoted = await quoteOperation(await signThere(1n, { signer: network.accounts.stranger }));
      await expectRefunded(quoted, "ACCOUNT_ABSTRACTION_SIGNATURE_ERROR");
    });

    it("are refunded if they are signed for another chain", async () => {
      const quoted = await quoteOperation(await signThere(1n, { chainId: origin.id }));
      await expectRefunded(quoted, "ACCOUNT_ABSTRACTION_SIGNATURE_ERROR");
    });

    // Runs last, because it deploys the account.
    it("are refunded if another account sent them first, and run once", async () => {
      const wallet = userWallet(network, destination);
      const send = async (data: Hex): Promise<void> => {
        const hash = await sendTransaction(wallet, { to: destination.contracts.entryPoint, data, gas: 1_500_000n });
        await waitForTransactionReceipt(wallet, { hash });
      };
      await send(await signOperation(network.accounts.user, destination, []));
      const data = await signThere(2_000_000n);
      const quoted = await quoteOperation(data);
      await send(data);
      expect(await dollarsOf(destination, there)).to.equal(3_000_000n);
      await expectRefunded(quoted, "ACCOUNT_ABSTRACTION_INVALID_NONCE");
      expect(await dollarsOf(destination, there)).to.equal(3_000_000n);
    });
  });
});
