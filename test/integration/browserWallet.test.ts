import { expect } from "chai";
import type { Page } from "playwright-core";
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  type Hex,
  hexToNumber,
  numberToHex,
  parseEther,
  recoverMessageAddress,
  recoverTypedDataAddress,
  stringToHex,
  zeroAddress,
} from "viem";

import { BATCH_DELEGATION } from "../../packages/protocol/src/chains/batchExecutor.ts";
import { createServiceClient, getQuote } from "../../packages/sdk/src/index.ts";
import {
  injectWallet,
  type InjectedWallet,
  type WalletOptions,
} from "../../packages/crosscall/src/testing/browser/index.ts";
import { dollarsOf, mintDollars, reader, vaultedDollarsOf } from "./support/parties.ts";
import { failureOf } from "./support/failureOf.ts";
import { useBrowser } from "../support/browser.ts";
import { until } from "../support/until.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { serve, type TestServer } from "../support/httpServer.ts";

/** Result or error of a request from the page. */
interface Outcome {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly data?: unknown };
}

// The page's code is a string, because the test runner's compiler adds helpers to functions.
describe("a wallet in a real browser", () => {
  const browser = useBrowser();
  const network = useNetwork({ chains: [{ id: 900_001 }, { id: 900_002 }], defaultApiKey: "crosscall-local" });
  let server: TestServer;
  let appUrl: string;
  let page: Page;
  const [origin, destination] = chainsOf(network);
  let user: Address;

  before(async () => {
    server = await serve((_request, response) =>
      response.setHeader("content-type", "text/html").end("<!doctype html><title>App</title>"),
    );
    appUrl = `${server.url}/`;
    user = network.accounts.user.address;
  });
  after(() => server.close());
  afterEach(() => page.close());

  async function openWith(options: Partial<WalletOptions> = {}): Promise<InjectedWallet> {
    page = await browser().newPage();
    const wallet = await injectWallet(page, { chains: network.chains, isConnected: true, ...options });
    await page.goto(appUrl);
    return wallet;
  }

  function ask(method: string, ...params: readonly unknown[]): Promise<Outcome> {
    return page.evaluate<Outcome>(`ethereum.request(${JSON.stringify({ method, params })}).then(
      (result) => ({ result }),
      ({ code, data }) => ({ error: data === undefined ? { code } : { code, data } }),
    )`);
  }

  async function resultOf(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const { result, error } = await ask(method, ...params);
    expect(error, method).to.equal(undefined);
    return result;
  }

  const codeOf = async (method: string, ...params: readonly unknown[]): Promise<number | undefined> =>
    (await ask(method, ...params)).error?.code;

  /** Collects the payloads of a provider event. */
  const listen = (event: string): Promise<void> =>
    page.evaluate(`{ window.seen = []; ethereum.on("${event}", (value) => window.seen.push(value)); }`);
  const seen = (): Promise<unknown[]> => page.evaluate<unknown[]>("window.seen");

  const transfer = (to: Address, amount: bigint): { readonly to: Address; readonly data: Hex } => ({
    to: origin.contracts.dollar,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] }),
  });

  describe("discovery and access", () => {
    it("is announced by EIP-6963 when the page loads and on request", async () => {
      page = await browser().newPage();
      await injectWallet(page, { chains: network.chains });
      await injectWallet(page, { chains: network.chains, name: "Other wallet" });
      await page.addInitScript(
        `window.names = []; addEventListener("eip6963:announceProvider", ({ detail: { info } }) => names.push([info.name, info.rdns]));`,
      );
      await page.goto(appUrl);
      await page.evaluate(`dispatchEvent(new Event("eip6963:requestProvider"))`);
      expect(await page.evaluate("names")).to.deep.equal([
        ["Local wallet", "dev.crosscall.local-wallet"],
        ["Other wallet", "dev.crosscall.other-wallet"],
      ]);
    });

    it("provides its accounts on request, and revokes access", async () => {
      const wallet = await openWith({ isConnected: false });
      await listen("accountsChanged");
      expect(await resultOf("eth_accounts")).to.deep.equal([]);
      expect(await codeOf("personal_sign", "0x00", user)).to.equal(4100);
      expect(await resultOf("eth_requestAccounts")).to.deep.equal([user]);
      expect(await resultOf("eth_accounts")).to.deep.equal([user]);
      const [permission] = (await resultOf("wallet_getPermissions")) as [{ parentCapability: string }];
      expect(permission.parentCapability).to.equal("eth_accounts");
      await wallet.disconnect();
      expect(await resultOf("wallet_getPermissions")).to.deep.equal([]);
      expect(await resultOf("wallet_requestPermissions", { eth_accounts: {} })).to.have.length(1);
      await resultOf("wallet_revokePermissions", { eth_accounts: {} });
      expect(await seen()).to.deep.equal([[user], [], [user], []]);
      expect(wallet.requests.map(({ method }) => method)).to.include.members(["eth_accounts", "eth_requestAccounts"]);
    });

    it("switches the account when the user does", async () => {
      const { user: first, stranger } = network.accounts;
      const wallet = await openWith({ accounts: [first, stranger] });
      await listen("accountsChanged");
      await wallet.switchAccount(stranger.address);
      expect(wallet.address).to.equal(stranger.address);
      expect(await resultOf("eth_accounts")).to.deep.equal([stranger.address, first.address]);
      expect(await seen()).to.deep.equal([[stranger.address, first.address]]);
      expect(await failureOf(wallet.switchAccount(zeroAddress))).to.include({
        code: "INVALID_INPUT",
        field: "address",
      });
    });

    it("keeps its state after a page reload", async () => {
      await openWith({ isConnected: false });
      await resultOf("eth_requestAccounts");
      await page.reload();
      expect(await resultOf("eth_accounts")).to.deep.equal([user]);
    });
  });

  describe("rejections", () => {
    it("rejects only the next request", async () => {
      const wallet = await openWith();
      wallet.rejectNext();
      expect(await codeOf("personal_sign", "0x00", user)).to.equal(4001);
      expect(await codeOf("personal_sign", "0x00", user)).to.equal(undefined);
    });

    it("rejects only the next request for a given method", async () => {
      const wallet = await openWith({ isConnected: false });
      wallet.rejectNext("eth_sendTransaction");
      wallet.rejectNext("eth_requestAccounts");
      expect(await codeOf("eth_requestAccounts")).to.equal(4001);
      await resultOf("eth_requestAccounts");
      const before = await reader(origin).getTransactionCount({ address: user });
      expect(await codeOf("eth_sendTransaction", { from: user, to: user })).to.equal(4001);
      expect(await reader(origin).getTransactionCount({ address: user })).to.equal(before);
    });

    const approvable: readonly (readonly [string, (user: Address) => readonly unknown[]])[] = [
      ["wallet_switchEthereumChain", () => [{ chainId: "0xdbba2" }]],
      ["wallet_watchAsset", () => [{ type: "ERC20", options: {} }]],
      ["eth_signTypedData_v4", (from) => [from, "{}"]],
      ["wallet_sendCalls", (from) => [{ version: "2.0.0", chainId: "0xdbba1", from, calls: [{ to: from }] }]],
    ];
    for (const [method, parameters] of approvable) {
      it(`can reject ${method}`, async () => {
        const wallet = await openWith();
        wallet.rejectNext(method);
        expect(await codeOf(method, ...parameters(user))).to.equal(4001);
      });
    }
  });

  describe("chains", () => {
    it("switches the page's chain, and notifies the page", async () => {
      const wallet = await openWith();
      await listen("chainChanged");
      const chainId = numberToHex(destination.id);
      expect(await resultOf("wallet_switchEthereumChain", { chainId })).to.equal(null);
      expect(await resultOf("eth_chainId")).to.equal(chainId);
      expect(wallet.chainId).to.equal(destination.id);
      await wallet.switchChain(origin.id);
      expect(await seen()).to.deep.equal([chainId, numberToHex(origin.id)]);
      expect(await failureOf(wallet.switchChain(1))).to.include({ code: "INVALID_INPUT", field: "chainId" });
    });

    it("rejects other chains until they are added", async () => {
      const wallet = await openWith({ chains: [network.chains[0]] });
      const chainId = numberToHex(destination.id);
      expect(await codeOf("wallet_switchEthereumChain", { chainId })).to.equal(4902);
      const added = { chainId, chainName: destination.name, rpcUrls: [destination.rpcUrl] };
      // Returns the URL of another chain.
      expect(await codeOf("wallet_addEthereumChain", { ...added, rpcUrls: [origin.rpcUrl] })).to.equal(-32_602);
      wallet.rejectNext("wallet_addEthereumChain");
      expect(await codeOf("wallet_addEthereumChain", added)).to.equal(4001);
      expect(await codeOf("wallet_switchEthereumChain", { chainId })).to.equal(4902);
      expect(await resultOf("wallet_addEthereumChain", added)).to.equal(null);
      expect(wallet.chainId).to.equal(destination.id);
      expect(await resultOf("eth_getCode", destination.contracts.router, "latest")).to.not.equal("0x");
    });
  });

  describe("signatures and transactions", () => {
    it("signs bytes and text", async () => {
      await openWith();
      for (const [sent, message] of [
        [stringToHex("hello"), "hello"],
        ["hello", "hello"],
      ] as const) {
        const signature = (await resultOf("personal_sign", sent, user)) as Hex;
        expect(await recoverMessageAddress({ message, signature })).to.equal(user);
      }
    });

    it("signs typed data only for the active chain", async () => {
      await openWith();
      const typed = (chainId: number) =>
        ({
          domain: { name: "App", chainId },
          types: {
            EIP712Domain: [
              { name: "name", type: "string" },
              { name: "chainId", type: "uint256" },
            ],
            Order: [{ name: "id", type: "uint256" }],
          },
          primaryType: "Order",
          message: { id: "7" },
        }) as const;
      const signature = (await resultOf("eth_signTypedData_v4", user, JSON.stringify(typed(origin.id)))) as Hex;
      const { types, primaryType } = typed(origin.id);
      const domain = { name: "App", chainId: BigInt(origin.id) };
      const signed = { domain, types, primaryType, message: { id: 7n } };
      expect(await recoverTypedDataAddress({ ...signed, signature })).to.equal(user);
      expect(await codeOf("eth_signTypedData_v4", user, JSON.stringify(typed(destination.id)))).to.equal(-32_602);
    });

    it("sends transactions with the fields that the page sets", async () => {
      await openWith();
      const transaction = {
        from: user,
        to: network.accounts.stranger.address,
        value: numberToHex(5n),
        gas: numberToHex(30_000n),
        maxFeePerGas: numberToHex(9_000_000_000n),
        maxPriorityFeePerGas: numberToHex(1_000_000_000n),
        data: "0x1234",
      };
      const hash = (await resultOf("eth_sendTransaction", transaction)) as Hex;
      const sent = await reader(origin).getTransaction({ hash });
      expect(sent).to.include({ value: 5n, gas: 30_000n, maxFeePerGas: 9_000_000_000n, input: "0x1234" });
      expect(sent.from).to.equal(user.toLowerCase());
      expect(await resultOf("eth_getTransactionReceipt", hash)).to.include({ status: "0x1" });
    });

    it("sends concurrent transactions in order", async () => {
      await openWith();
      const before = await reader(origin).getTransactionCount({ address: user });
      const send = `ethereum.request({ method: "eth_sendTransaction", params: [{ from: "${user}", to: "${user}" }] })`;
      expect(await page.evaluate(`Promise.all([${send}, ${send}, ${send}])`)).to.have.length(3);
      expect(await reader(origin).getTransactionCount({ address: user })).to.equal(before + 3);
    });

    it("sends a transaction with signed authorizations", async () => {
      await openWith();
      const [delegator] = network.accounts.spare;
      if (delegator?.signAuthorization === undefined) throw new Error("the account cannot sign authorizations");
      const nonce = await reader(origin).getTransactionCount({ address: delegator.address });
      const contractAddress = BATCH_DELEGATION.replace("0xef0100", "0x") as Address;
      const signed = await delegator.signAuthorization({ contractAddress, chainId: origin.id, nonce });
      const { r, s, yParity = 0 } = signed;
      const authorization = {
        address: contractAddress,
        chainId: numberToHex(origin.id),
        nonce: numberToHex(nonce),
        r,
        s,
        yParity: numberToHex(yParity),
      };
      const hash = (await resultOf("eth_sendTransaction", {
        from: user,
        to: user,
        authorizationList: [authorization],
      })) as Hex;
      expect((await reader(origin).getTransaction({ hash })).type).to.equal("eip7702");
      expect(await reader(origin).getCode({ address: delegator.address })).to.equal(BATCH_DELEGATION.toLowerCase());
    });

    it("sends a transaction that reverts if the page sets the gas limit", async () => {
      await openWith();
      const call = { from: user, gas: numberToHex(100_000n), ...transfer(user, 10n ** 30n) };
      const hash = (await resultOf("eth_sendTransaction", call)) as Hex;
      expect(await resultOf("eth_getTransactionReceipt", hash)).to.include({ status: "0x0" });
    });

    it("returns the node's error code and data to the page after a revert", async () => {
      await openWith();
      const { stranger } = network.accounts;
      const call = { from: user, ...transfer(stranger.address, 10n ** 30n) };
      for (const method of ["eth_sendTransaction", "eth_call"]) {
        const { error } = await ask(method, call);
        expect(error?.code, method).to.equal(await nodeCodeOf(call));
        expect(String(error?.data), method).to.match(/^0x/u);
      }
    });

    async function nodeCodeOf(call: object): Promise<number> {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params: [call, "latest"] });
      const answered = await fetch(origin.rpcUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      return ((await answered.json()) as { readonly error: { readonly code: number } }).error.code;
    }

    it("rejects other accounts, other chains, and methods that wallets do not support", async () => {
      await openWith();
      const { stranger } = network.accounts;
      expect(await codeOf("eth_sendTransaction", { from: stranger.address, to: user })).to.equal(4100);
      const chainId = numberToHex(destination.id);
      expect(await codeOf("eth_sendTransaction", { from: user, to: user, chainId })).to.equal(-32_602);
      for (const method of ["eth_sign", "eth_signTransaction", "hardhat_setBalance", "wallet_unknown", "toString"]) {
        expect(await codeOf(method, user), method).to.equal(4200);
      }
    });
  });

  describe("batches (EIP-5792)", () => {
    const bundleOf = (calls: readonly object[], change: object = {}) => ({
      version: "2.0.0",
      chainId: numberToHex(origin.id),
      from: user,
      atomicRequired: true,
      calls,
      ...change,
    });
    interface BundleStatus {
      readonly status: number;
      readonly atomic: boolean;
      readonly chainId: Hex;
      readonly receipts: readonly {
        readonly transactionHash: Hex;
        readonly status: Hex;
        readonly logs: readonly unknown[];
      }[];
    }
    const statusOf = async (id: string): Promise<BundleStatus> =>
      until(async () => {
        const status = (await resultOf("wallet_getCallsStatus", id)) as BundleStatus;
        return status.status === 100 ? undefined : status;
      });

    it("executes the calls in one transaction from the account, which it upgrades only once", async () => {
      await openWith({ batches: "ready" });
      const chainId = numberToHex(origin.id);
      const capabilities = () => resultOf("wallet_getCapabilities", user, [chainId]);
      expect(await capabilities()).to.deep.equal({ [chainId]: { atomic: { status: "ready" } } });
      for (const amount of [3_000_000n, 4_000_000n]) {
        await mintDollars(network, origin, amount);
        const { dollar, vault } = origin.contracts;
        const before = await vaultedDollarsOf(origin, user);
        const { id } = (await resultOf(
          "wallet_sendCalls",
          bundleOf([
            { to: dollar, data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [vault, amount] }) },
            { to: vault, data: encodeFunctionData({ abi: erc4626Abi, functionName: "deposit", args: [amount, user] }) },
          ]),
        )) as { readonly id: string };
        const { status, atomic, receipts } = await statusOf(id);
        expect([status, atomic, receipts.length]).to.deep.equal([200, true, 1]);
        expect(receipts[0]?.logs.length).to.be.greaterThan(2);
        expect((await vaultedDollarsOf(origin, user)) - before).to.equal(amount);
        const sent = await reader(origin).getTransaction({ hash: receipts[0]?.transactionHash ?? "0x" });
        expect([sent.from, sent.to]).to.deep.equal([user.toLowerCase(), user.toLowerCase()]);
        expect(sent.type).to.equal(amount === 3_000_000n ? "eip7702" : "eip1559");
      }
      expect(await capabilities()).to.deep.equal({ [chainId]: { atomic: { status: "supported" } } });
    });

    it("reverts all calls if one fails, and reports the failure", async () => {
      await openWith();
      await mintDollars(network, origin, 5n);
      const before = await dollarsOf(origin, user);
      const { stranger } = network.accounts;
      const { id } = (await resultOf(
        "wallet_sendCalls",
        bundleOf([transfer(stranger.address, 5n), transfer(stranger.address, 10n ** 30n)]),
      )) as { readonly id: string };
      const { status, receipts } = await statusOf(id);
      expect([status, receipts[0]?.status]).to.deep.equal([500, "0x0"]);
      expect(await dollarsOf(origin, user)).to.equal(before);
    });

    it("executes calls with a value and the page's id on a chain that is not active", async () => {
      const wallet = await openWith();
      const { stranger } = network.accounts;
      const before = await reader(destination).getBalance({ address: stranger.address });
      const calls = [
        { to: stranger.address, value: "0x7" },
        { to: stranger.address, value: "0x8" },
      ];
      const change = { id: "0xpage", chainId: numberToHex(destination.id) };
      expect(await resultOf("wallet_sendCalls", bundleOf(calls, change))).to.deep.equal({ id: "0xpage" });
      expect(hexToNumber((await statusOf("0xpage")).chainId)).to.equal(destination.id);
      expect((await reader(destination).getBalance({ address: stranger.address })) - before).to.equal(15n);
      expect(wallet.chainId).to.equal(origin.id);
      expect(await codeOf("wallet_sendCalls", bundleOf(calls, change))).to.equal(5720);
    });

    it("reports a pending batch until the chain includes it", async () => {
      await openWith();
      await origin.setMining({ intervalMs: 600_000 });
      try {
        const { id } = (await resultOf("wallet_sendCalls", bundleOf([{ to: user }]))) as { readonly id: string };
        expect(await resultOf("wallet_getCallsStatus", id)).to.deep.include({ status: 100, atomic: true });
        await origin.mine();
        expect((await statusOf(id)).status).to.equal(200);
      } finally {
        await origin.setMining({});
      }
    });

    it("rejects unsupported calls with the codes of EIP-5792", async () => {
      await openWith();
      const calls = [{ to: user }];
      const changes = [
        [{ chainId: "0x1" }, 5710],
        [{ capabilities: { paymasterService: {} } }, 5700],
        [{ capabilities: { paymasterService: { optional: true } } }, undefined],
        [{ version: "1.0" }, -32_602],
        [{ calls: [] }, -32_602],
        [{ calls: [{ to: "0x12" }] }, -32_602],
        [{ from: network.accounts.stranger.address }, 4100],
      ] as const;
      for (const [change, code] of changes) {
        expect(await codeOf("wallet_sendCalls", bundleOf(calls, change)), JSON.stringify(change)).to.equal(code);
      }
      expect(await codeOf("wallet_getCallsStatus", "0x12")).to.equal(5730);
      expect(await codeOf("wallet_getCapabilities", network.accounts.stranger.address)).to.equal(4100);
    });

    it("has no methods for batches if they are unsupported", async () => {
      await openWith({ batches: "unsupported" });
      for (const method of ["wallet_sendCalls", "wallet_getCallsStatus", "wallet_getCapabilities"]) {
        expect(await codeOf(method, bundleOf([{ to: user }])), method).to.equal(4200);
      }
    });
  });

  it("lets the page send requests to the service and the chains", async () => {
    await openWith();
    const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
    const request = {
      user,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: zeroAddress,
      destinationCurrency: destination.contracts.dollar,
      tradeType: "EXACT_INPUT",
      amount: parseEther("1").toString(),
    } as const;
    const { details } = await getQuote(client, request);
    const post = (url: string, body: object): Promise<unknown> =>
      page.evaluate(`fetch(${JSON.stringify(url)}, {
        method: "POST",
        headers: { "content-type": "application/json", "relay-sdk-version": "5.2.8", "relay-kit-ui-version": "8.0.12" },
        body: ${JSON.stringify(JSON.stringify(body))},
      }).then((response) => response.json())`);
    const quote = (await post(`${network.url}/quote/v2`, request)) as {
      readonly details: { readonly currencyOut: unknown };
    };
    expect(quote.details.currencyOut).to.deep.equal(details?.currencyOut);
    const chainId = await post(origin.rpcUrl, { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
    expect(chainId).to.include({ result: numberToHex(origin.id) });
  });

  it("rejects unsupported options", async () => {
    page = await browser().newPage();
    const invalid = [
      [{ chains: [] }, "chains"],
      [{ chains: network.chains, accounts: [] }, "accounts"],
    ] as const;
    for (const [options, field] of invalid) {
      expect(await failureOf(injectWallet(page, options))).to.include({ code: "INVALID_INPUT", field });
    }
  });
});
