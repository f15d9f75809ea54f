import { expect } from "chai";
import { type Address, createWalletClient, type Hex, http, toHex, zeroAddress } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { Localnet, LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { expectLive, getQuote } from "../../support/complete.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { dollarsOf, reader } from "../support/parties.ts";
import { requestIdOf, watchToEnd } from "../support/requests.ts";
import { type Answer, post, recordOf } from "../support/serviceCalls.ts";
import { authorize, type BatchChange, callsOf, signBatch } from "./batches.ts";
import { transferOf } from "./operations.ts";
import { outrun, PREFERRED_FEES } from "./support.ts";

const API_KEY = "crosscall-local";
const AMOUNT = 50_000_000n;

/** Order of the secp256k1 curve, for converting a signature to its malleable form. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

type Authorization = Awaited<ReturnType<typeof authorize>>;

describe("EIP-7702 authorizations under attack", () => {
  const network = useNetwork({ apiKeys: [API_KEY], sponsoringApiKeys: [API_KEY] });
  let origin: LocalnetChain;
  let destination: LocalnetChain;
  /** Account that has no code at the start of each test. */
  let account: Localnet["accounts"]["user"];

  before(() => {
    [origin, destination] = network.chains;
    account = network.accounts.spare[0] ?? expect.fail("no spare account");
  });
  beforeEach(async () => {
    const held = await dollarsOf(origin, account.address);
    if (held < 2n * AMOUNT) await origin.fund(account.address, "USDC", 2n * AMOUNT);
    if ((await reader(origin).getCode({ address: account.address })) === undefined) return;
    // The account sends the revocation itself, so the authorization uses the nonce that follows the transaction's.
    const nonce = (await reader(origin).getTransactionCount({ address: account.address })) + 1;
    await send(account, { to: account.address, authorizationList: [await authorizeFor(zeroAddress, nonce)] });
  });
  /**
   * Nonce of the account's next batch. It keeps counting after a revocation, because the account's storage is not
   * cleared.
   */
  let sequence = 0n;

  async function authorizeFor(contractAddress: Address, nonce?: number): Promise<Authorization> {
    return authorize(account, origin, { contractAddress, ...(nonce === undefined ? {} : { nonce }) });
  }

  interface Sent {
    readonly to: Address;
    readonly data?: Hex;
    readonly nonce?: number;
    readonly authorizationList?: readonly Authorization[];
  }

  async function send(
    from: Localnet["accounts"]["user"],
    { authorizationList, ...rest }: Sent,
    waits = true,
  ): Promise<void> {
    const wallet = createWalletClient({
      account: from,
      chain: describeChain(origin.id, origin.rpcUrl),
      transport: http(origin.rpcUrl),
      pollingInterval: 25,
    });
    const hash = await sendTransaction(wallet, {
      ...PREFERRED_FEES,
      ...rest,
      ...(authorizationList === undefined ? {} : { authorizationList }),
    });
    if (waits) await waitForTransactionReceipt(wallet, { hash });
  }

  const quote = (change: Partial<QuoteRequest> = {}): Promise<Quote> =>
    getQuote(createServiceClient({ baseUrl: network.url, apiKey: API_KEY }), {
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
  const oneChain = (): Partial<QuoteRequest> => ({
    destinationChainId: origin.id,
    destinationCurrency: zeroAddress,
    originGasOverhead: 0,
  });
  const signCalls = (quoted: Quote, change: BatchChange = {}): Promise<Hex> =>
    signBatch(account, origin, callsOf(quoted), { nonce: sequence, ...change });
  const execute = (data: string, requestId: string, authorizationList?: readonly unknown[]): Promise<Answer> =>
    post(
      network,
      "/execute",
      {
        executionKind: "rawCalls",
        data: {
          chainId: origin.id,
          to: account.address,
          data,
          value: "0",
          ...(authorizationList === undefined ? {} : { authorizationList }),
        },
        requestId,
      },
      { "x-api-key": API_KEY },
    );

  /** @returns the error */
  async function expectRefused(answer: Answer, quoted: Quote, held: bigint): Promise<string> {
    expect(answer.status, JSON.stringify(answer.body)).to.equal(400);
    expectLive("POST /execute 400", answer.body);
    expect((await recordOf(network, requestIdOf(quoted))).status).to.equal("waiting");
    expect(await dollarsOf(origin, account.address)).to.equal(held);
    return (answer.body as { error: string }).error;
  }

  async function expectPaidOnce(quoted: Quote, held: bigint): Promise<void> {
    expect((await watchToEnd(network, requestIdOf(quoted))).status).to.equal("success");
    sequence += 1n;
    expect(held - (await dollarsOf(origin, account.address))).to.equal(AMOUNT);
  }

  const attacks: readonly (readonly [what: string, error: RegExp, list: () => Promise<readonly Authorization[]>])[] = [
    ["of another chain", /chainId is 31338/u, async () => [await authorize(account, destination)]],
    [
      "with a used nonce",
      /nonce is 0/u,
      async () => {
        const used = [await authorizeFor(zeroAddress)];
        await send(network.accounts.stranger, { to: account.address, authorizationList: used });
        return [await authorize(account, origin, { nonce: 0 })];
      },
    ],
    ["with a later nonce", /nonce is 1000/u, async () => [await authorize(account, origin, { nonce: 1_000 })]],
    ["by another account", /to has no code/u, async () => [await authorize(network.accounts.stranger, origin)]],
    ["that revoke the account's code", /0x0{40}.* has no code/u, async () => [await authorizeFor(zeroAddress)]],
    [
      "for a delegate without code",
      /has no code/u,
      async () => [await authorizeFor(network.accounts.stranger.address), await authorize(account, origin)],
    ],
    [
      "changed to another delegate after they were signed",
      /to has no code|nonce is/u,
      async () => [{ ...(await authorize(account, origin)), address: origin.contracts.router }],
    ],
    [
      "with the other signature of the same key, which the chain ignores",
      /invalid signature/u,
      async () => {
        const own = await authorize(account, origin);
        return [{ ...own, s: toHex(ORDER - BigInt(own.s), { size: 32 }), yParity: 1 - own.yParity }];
      },
    ],
    [
      "with a malformed signature",
      /invalid signature/u,
      async () => [{ ...(await authorize(account, origin)), r: "0x" }],
    ],
  ];
  for (const [what, error, list] of attacks) {
    it(`are rejected ${what}, and the correct authorization is accepted afterwards`, async () => {
      const quoted = await quote();
      const held = await dollarsOf(origin, account.address);
      const data = await signCalls(quoted);
      const refused = await expectRefused(await execute(data, requestIdOf(quoted), await list()), quoted, held);
      expect(refused).to.match(error);
      const right = [await authorize(account, origin)];
      expect((await execute(data, requestIdOf(quoted), right)).status).to.equal(200);
      await expectPaidOnce(quoted, held);
    });
  }

  const changes: readonly (readonly [what: string, change: () => BatchChange])[] = [
    ["recipient", () => ({ callsAfterSigning: [transferOf(origin, network.accounts.stranger.address, AMOUNT)] })],
    ["amount", () => ({ callsAfterSigning: [transferOf(origin, origin.contracts.depository, AMOUNT - 1n)] })],
  ];
  for (const [what, change] of changes) {
    it(`do not validate a batch with a ${what} other than the signed one`, async () => {
      const quoted = await quote();
      const held = await dollarsOf(origin, account.address);
      const answer = await execute(await signCalls(quoted, change()), requestIdOf(quoted), [
        await authorize(account, origin),
      ]);
      expect(await expectRefused(answer, quoted, held)).to.equal("INVALID_SIGNATURE");
    });
  }

  it("pay once when they are posted again with their batch, even for another request", async () => {
    const [quoted, other] = [await quote(), await quote()];
    const held = await dollarsOf(origin, account.address);
    const data = await signCalls(quoted);
    const list = [await authorize(account, origin)];
    expect(await expectRefused(await execute(data, requestIdOf(other), list), other, held)).to.equal(
      `the call deposits nothing for request ${requestIdOf(other)}`,
    );
    const answers = await Promise.all([1, 2, 3].map(() => execute(data, requestIdOf(quoted), list)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 400, 400]);
    await expectPaidOnce(quoted, held);
    for (const again of [quoted, other]) {
      expect((await execute(data, requestIdOf(again), list)).status).to.equal(400);
    }
    // The batch has its own nonce, unlike the authorization in it.
    expect(await expectRefused(await execute(data, requestIdOf(other)), other, held - AMOUNT)).to.equal(
      "INVALID_NONCE",
    );
  });

  for (const [where, change] of [
    ["on two chains", () => ({})],
    ["on one chain", oneChain],
  ] as const) {
    it(`pay once when another account sends them first ${where}`, async () => {
      const quoted = await quote(change());
      const held = await dollarsOf(origin, account.address);
      const list = [await authorize(account, origin)];
      const data = await signCalls(quoted);
      await outrun(
        network,
        async () => expect((await execute(data, requestIdOf(quoted), list)).status).to.equal(200),
        () => send(network.accounts.stranger, { to: account.address, authorizationList: list }, false),
      );
      await expectPaidOnce(quoted, held);
    });

    it(`pay once when another account sends them first with their batch ${where}`, async () => {
      const quoted = await quote(change());
      const held = await dollarsOf(origin, account.address);
      const list = [await authorize(account, origin)];
      const data = await signCalls(quoted);
      await outrun(
        network,
        async () => expect((await execute(data, requestIdOf(quoted), list)).status).to.equal(200),
        () => send(network.accounts.stranger, { to: account.address, data, authorizationList: list }, false),
      );
      await expectPaidOnce(quoted, held);
    });

    it(`make the request fail without a payment when the account uses their nonce first ${where}`, async () => {
      const quoted = await quote(change());
      const held = await dollarsOf(origin, account.address);
      const list = [await authorize(account, origin)];
      const data = await signCalls(quoted);
      await outrun(
        network,
        async () => expect((await execute(data, requestIdOf(quoted), list)).status).to.equal(200),
        // Includes a pending transaction that uses the authorization's nonce.
        () => send(account, { to: account.address, nonce: list[0]?.nonce ?? 0 }, false),
      );
      expect(await watchToEnd(network, requestIdOf(quoted))).to.include({
        status: "failure",
        failReason: "INVALID_NONCE",
      });
      expect(await dollarsOf(origin, account.address)).to.equal(held);
    });
  }

  it("are not needed after another account has sent them", async () => {
    const quoted = await quote();
    const held = await dollarsOf(origin, account.address);
    const list = [await authorize(account, origin)];
    await send(network.accounts.stranger, { to: account.address, authorizationList: list });
    const data = await signCalls(quoted);
    const refused = await execute(data, requestIdOf(quoted), list);
    expect(await expectRefused(refused, quoted, held)).to.match(/nonce is/u);
    expect((await execute(data, requestIdOf(quoted))).status).to.equal(200);
    await expectPaidOnce(quoted, held);
  });
});
