import { expect } from "chai";
import {
  type Address,
  createWalletClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  numberToHex,
  parseEther,
} from "viem";
import { getTransactionCount, sendTransaction, waitForTransactionReceipt } from "viem/actions";

import {
  createMemoryJournal,
  createServiceClient,
  executeSteps,
  type ExecuteStepsParameters,
  type ExecutionJournal,
  getQuote,
} from "../../../packages/sdk/src/index.ts";
import type { ReceivedQuote } from "../../../packages/protocol/src/quote/quoteFreshness.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { FakeService } from "../support/fakeService.ts";
import { failureOf } from "../support/failureOf.ts";
import { dollarsOf, mintDollars, reader, userWallet } from "../support/parties.ts";
import { etherRequest, onNode } from "../support/requests.ts";

const AMOUNT = 50_000_000n;
const OTHER: Address = "0x00000000000000000000000000000000000000aa";

interface Asked {
  readonly to: Address;
  readonly data: Hex;
  readonly value?: Hex;
}

/** Handles a request to send a transaction. */
type Send = (asked: Asked) => Promise<unknown>;

const isApproval = ({ data }: Asked): boolean => data.startsWith("0x095ea7b3");

describe("a payment whose wallet returns the hash of another transaction", () => {
  const network = useNetwork();
  let prompts: Asked[];
  let journal: ExecutionJournal;

  before(() => mintDollars(network, network.chains[0], AMOUNT * 100n));
  beforeEach(async () => {
    // Resets the allowance, so that every quote for a dollar payment includes an approval.
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: "approve",
      args: [origin().contracts.depository, 0n],
    });
    await include({ to: origin().contracts.dollar, data });
    prompts = [];
    journal = createMemoryJournal();
  });

  const origin = () => network.chains[0];
  const user = () => network.accounts.user.address;
  const client = (baseUrl = network.url) => createServiceClient({ baseUrl, limits: false });
  const quoteDollars = () =>
    getQuote(client(), etherRequest(network, { originCurrency: origin().contracts.dollar, amount: AMOUNT.toString() }));
  const quoteEther = () => getQuote(client(), etherRequest(network, { amount: parseEther("0.5").toString() }));

  function walletThat(send: Send, chain = origin) {
    const request = ({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<unknown> => {
      if (method !== "eth_sendTransaction") return onNode(chain(), method, ...params);
      const [asked] = params as [Asked];
      prompts.push(asked);
      return send(asked);
    };
    return createWalletClient({
      account: user(),
      transport: custom({ request }, { retryCount: 0 }),
      pollingInterval: 5,
    });
  }
  const execute = (quote: ReceivedQuote, send: Send, parameters: Partial<ExecuteStepsParameters> = {}) =>
    executeSteps(client(), {
      quote,
      wallet: walletThat(send),
      trust: network.trust,
      journal,
      freshness: false,
      pollIntervalMs: 5,
      ...parameters,
    });
  /** Includes a transaction from the user or from another account. */
  async function include(
    { to, data, value = "0x0" }: { to: Address; data?: Hex; value?: Hex },
    account = network.accounts.user,
  ): Promise<Hex> {
    const parts = { to, value: hexToBigInt(value), ...(data === undefined ? {} : { data }) };
    const nonce = await getTransactionCount(reader(origin()), { address: account.address, blockTag: "latest" });
    const hash = await sendTransaction(userWallet(network, origin()), { account, nonce, ...parts });
    await waitForTransactionReceipt(reader(origin()), { hash });
    return hash;
  }
  /** Clock that advances by half a minute per read, so that waiting for a missing transaction ends soon. */
  const hastyClock = () => {
    let nowMs = network.clock.now();
    return { now: () => (nowMs += 30_000) };
  };
  /** Expects that two runs end without a second prompt, and that the account pays nothing. */
  async function staysUnresolved(quote: ReceivedQuote, send: Send): Promise<void> {
    const before = await dollarsOf(origin(), user());
    let asked: number | undefined;
    for (const run of ["first", "second"]) {
      const error = await failureOf(execute(quote, send, { clock: hastyClock() }));
      expect(error, run).to.include({ code: "PAYMENT_UNRESOLVED", what: "transaction" });
      expect(prompts, run).to.have.length((asked ??= prompts.length));
    }
    expect(await dollarsOf(origin(), user())).to.equal(before);
  }

  it("is not mistaken for a stranger's transaction", async () => {
    const other = await include({ to: OTHER, value: "0x1" }, network.accounts.stranger);
    await staysUnresolved(await quoteEther(), () => Promise.resolve(other));
    expect(prompts).to.have.length(1);
  });

  it("is not mistaken for an earlier transaction from the account, and not replaced by it", async () => {
    const other = await include({ to: OTHER, value: "0x1" });
    await staysUnresolved(await quoteEther(), () => Promise.resolve(other));
    expect(prompts).to.have.length(1);
  });

  it("is not mistaken for a later transaction from the account", async () => {
    await staysUnresolved(await quoteEther(), () => include({ to: OTHER, value: "0x1" }));
    expect(prompts).to.have.length(1);
  });

  it("is not mistaken for its approval", async () => {
    let approval: Hex | undefined;
    await staysUnresolved(await quoteDollars(), async (asked) => (approval ??= await include(asked)));
    expect(prompts.map(isApproval)).to.deep.equal([true, false]);
  });

  it("is not mistaken for a transaction that contains its call without executing it", async () => {
    const quote = await quoteDollars();
    await staysUnresolved(quote, (asked) =>
      isApproval(asked) ? include(asked) : include({ to: OTHER, data: asked.data }, network.accounts.stranger),
    );
  });

  it("is not mistaken for another order's transaction", async () => {
    const [quote, another] = [await quoteEther(), await quoteEther()];
    const data = another.steps?.at(-1)?.items?.[0]?.data as Readonly<Record<string, string>>;
    await staysUnresolved(quote, (asked) => include({ ...asked, data: data.data as Hex }));
  });

  it("is found by its own hash if the wallet repeats the approval's hash", async () => {
    const hashes: Hex[] = [];
    const quote = await quoteDollars();
    const { status, transactions } = await execute(quote, async (asked) => {
      hashes.push(await include(asked));
      return hashes[0];
    });
    expect(status).to.include({ status: "success" });
    expect(transactions.map(({ txHash }) => txHash)).to.deep.equal(hashes);
  });

  it("is found if the wallet appends data to its call", async () => {
    const quote = await quoteDollars();
    const { status, transactions } = await execute(quote, (asked) => include({ ...asked, data: `${asked.data}c0de` }));
    expect(status).to.include({ status: "success" });
    expect(transactions).to.have.length(prompts.length);
  });

  it("is not reported with hashes that come only from the service", async () => {
    const other = await include({ to: OTHER, value: "0x1" }, network.accounts.stranger);
    await using stack = new AsyncDisposableStack();
    const hostile = await FakeService.start(network.url);
    stack.defer(() => hostile.close());
    const quote = await quoteEther();
    const send: Send = () => {
      hostile.claim = () => ({ status: "success", inTxHashes: [other, "0x12", OTHER], txHashes: [] });
      return Promise.resolve(`0x${"12".repeat(32)}`);
    };
    const { transactions } = await executeSteps(client(hostile.url), {
      quote,
      wallet: walletThat(send),
      trust: network.trust,
      journal,
      freshness: false,
      pollIntervalMs: 5,
    });
    expect(transactions).to.deep.equal([]);
  });

  it("is not replaced by a transaction on another chain to which the user switches the wallet", async () => {
    const [, destination] = network.chains;
    const quote = await quoteEther();
    const height = await reader(origin()).getBlockNumber({ cacheTime: 0 });
    await onNode(destination, "hardhat_mine", numberToHex(height + 10n));
    const nonce = await getTransactionCount(reader(origin()), { address: user() });
    await onNode(destination, "hardhat_setNonce", user(), numberToHex(nonce));
    await sendTransaction(userWallet(network, destination), { to: OTHER, value: 1n, nonce });
    await onNode(origin(), "evm_setAutomine", false);
    let isSwitched = false;
    const send: Send = async ({ to, data, value = "0x0" }) =>
      sendTransaction(userWallet(network, origin()), { to, data, value: hexToBigInt(value), gas: 200_000n });
    const wallet = walletThat(send, () => (isSwitched ? destination : origin()));
    try {
      const run = execute(quote, send, {
        wallet,
        clock: hastyClock(),
        onEvent: ({ kind }) => {
          isSwitched ||= kind === "sent";
        },
      });
      expect(await failureOf(run)).to.include({ code: "PAYMENT_UNRESOLVED" });
    } finally {
      await onNode(origin(), "evm_setAutomine", true);
      await onNode(origin(), "evm_mine");
    }
    isSwitched = false;
    expect((await execute(quote, send, { wallet })).status).to.include({ status: "success" });
    expect(prompts).to.have.length(1);
  });

  it("fails when its own transaction reverts", async () => {
    const quote = await quoteEther();
    const { depository } = origin().contracts;
    const code = await reader(origin()).getCode({ address: depository });
    const send: Send = async (asked) => {
      await onNode(origin(), "hardhat_setCode", depository, "0x5f5ffd");
      const value = hexToBigInt(asked.value ?? "0x0");
      const parts = { to: asked.to, data: asked.data, value, gas: 100_000n };
      return sendTransaction(userWallet(network, origin()), parts);
    };
    try {
      expect(await failureOf(execute(quote, send))).to.include({ code: "TRANSACTION_FAILED" });
    } finally {
      await onNode(origin(), "hardhat_setCode", depository, code);
    }
  });
});
