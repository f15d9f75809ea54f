import { expect } from "chai";
import { Wallet, JsonRpcProvider, BrowserProvider } from "ethers";
import { type Account, type Hex, hashTypedData, recoverAddress } from "viem";
import { toAccount } from "viem/accounts";
import { getBlockNumber, getChainId } from "viem/actions";

import { boundClient, kitErrorIn } from "../../../../packages/sdk/src/execute/node.ts";
import {
  type FinalTransaction,
  openWallet,
  openWallets,
  type StepWallet,
  type TypedData,
} from "../../../../packages/sdk/src/execute/wallets.ts";
import { isUserRejection } from "../../../../packages/sdk/src/execute/walletErrors.ts";
import { TimedOutError } from "../../../../packages/protocol/src/core/errors.ts";
import type { PlannedSignature, PlannedTransaction } from "../../../../packages/protocol/src/quote/planSteps.ts";
import {
  acceptUnverified,
  typedDataOf,
  type Verified,
  type VerifiedStep,
} from "../../../../packages/sdk/src/verify/verifiedSteps.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { describeChain } from "../../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { virtualTimer } from "../client/virtualTimer.ts";
import { failing, ScriptedWallet, silence } from "./scriptedWallet.ts";

const USER = localAccounts.user.address;
const HASH: Hex = `0x${"ab".repeat(32)}`;
const PAYMENT: PlannedTransaction = {
  kind: "transaction",
  stepId: "deposit",
  position: "0.0",
  chainId: 5,
  from: USER,
  to: USER,
  data: "0xdeadbeef",
  value: 7n,
  gas: undefined,
  maxFeePerGas: undefined,
  maxPriorityFeePerGas: undefined,
};
const PERMIT: PlannedSignature = {
  kind: "signature",
  stepId: "authorize1",
  position: "0.0",
  sign: { signatureKind: "eip712" },
  post: { endpoint: "/execute/permits", method: "POST" },
};
const [step, permit] = acceptUnverified([PAYMENT, PERMIT]) as [
  VerifiedStep<PlannedTransaction>,
  VerifiedStep<PlannedSignature>,
];
const TRANSACTION: FinalTransaction = {
  step,
  nonce: 1,
  gas: 21_000n,
  fees: { maxFeePerGas: 9n, maxPriorityFeePerGas: 2n },
};
const TYPED: TypedData = {
  domain: { name: "Token", version: "2", chainId: 5, verifyingContract: USER },
  types: { Note: [{ name: "amount", type: "uint256" }] },
  primaryType: "Note",
  value: { amount: "12" },
};
const signable = (data: TypedData = TYPED): Verified<TypedData> => typedDataOf(permit, () => data);
const ON_5 = { eth_chainId: () => "0x5" };
const ids = (...answers: readonly unknown[]): (() => unknown) => {
  const inTurn = [...answers];
  return () => (inTurn.length > 1 ? inTurn.shift() : inTurn[0]);
};

/** Remote signer that does not respond. */
const hangingAccount = toAccount({
  address: USER,
  signMessage: silence,
  signTransaction: silence,
  signTypedData: silence,
  signAuthorization: silence,
});

describe("a request to a wallet or its node", () => {
  const requests: Record<string, { ask: (wallet: StepWallet) => Promise<unknown>; method: string; account?: Account }> =
    {
      "a transaction": {
        ask: (wallet) => wallet.sendTransaction(TRANSACTION),
        method: "eth_sendTransaction of the wallet",
      },
      "typed data": { ask: (wallet) => wallet.signTypedData(signable()), method: "eth_signTypedData_v4 of the wallet" },
      "a message": { ask: (wallet) => wallet.signMessage("text"), method: "personal_sign of the wallet" },
      "a bundle": {
        ask: ({ client }) => client.request({ method: "wallet_sendCalls", params: [] } as never),
        method: "wallet_sendCalls of the wallet",
      },
      "a transaction by a remote signer": {
        ask: (wallet) => wallet.signTransaction!(TRANSACTION),
        method: "signTransaction of the wallet",
        account: hangingAccount,
      },
      "typed data by a remote signer": {
        ask: (wallet) => wallet.signTypedData(signable()),
        method: "signTypedData of the wallet",
        account: hangingAccount,
      },
      "a message by a remote signer": {
        ask: (wallet) => wallet.signMessage("text"),
        method: "signMessage of the wallet",
        account: hangingAccount,
      },
      "an authorization by a remote signer": {
        ask: (wallet) => wallet.signAuthorization!({ chainId: 5, address: USER, nonce: 0 }),
        method: "signAuthorization of the wallet",
        account: hangingAccount,
      },
      capabilities: {
        ask: ({ client }) => client.request({ method: "wallet_getCapabilities", params: [USER] } as never),
        method: "wallet_getCapabilities of the wallet's node",
      },
      "a read": { ask: ({ client }) => getBlockNumber(client), method: "eth_blockNumber of the wallet's node" },
    };
  const hanging = new Proxy({}, { get: () => silence });
  for (const [name, { ask, method, account }] of Object.entries(requests)) {
    const open = (limits: object) =>
      openWallet(new ScriptedWallet(hanging, account === undefined ? {} : { account }).client, "wallet", limits);

    it(`ends if the signal aborts: ${name}`, async () => {
      const controller = new AbortController();
      const wallet = await open({ signal: controller.signal });
      setImmediate(() => controller.abort());
      expect((await rejected(ask(wallet))).code).to.equal("ABORTED");
      expect((await rejected(ask(wallet))).code).to.equal("ABORTED");
    });

    it(`ends after a timeout: ${name}`, async () => {
      const timer = virtualTimer();
      const limits = { promptTimeoutMs: 60_000, nodeTimeoutMs: 5_000, timer };
      const timeoutMs = method.endsWith("node") ? 5_000 : 60_000;
      const failed = rejected(ask(await open(limits)));
      await timer.advance(timeoutMs - 1);
      await timer.advance(1);
      const error = await failed;
      expect(factsOf(error)).to.deep.equal({ code: "TIMED_OUT", timeoutMs });
      expect(error.message).to.contain(method);
    });
  }

  it("does not start after an abort", async () => {
    const wallet = new ScriptedWallet(ON_5);
    const { client } = await openWallet(wallet.client, "wallet", { signal: AbortSignal.abort() });
    expect((await rejected(getChainId(client))).code).to.equal("ABORTED");
    expect(wallet.methods).to.deep.equal([]);
  });

  it("ignores a late failure", async () => {
    const timer = virtualTimer();
    const { promise, reject } = Promise.withResolvers<never>();
    const wallet = await openWallet(new ScriptedWallet({ eth_sendTransaction: () => promise }).client, "wallet", {
      timer,
    });
    const failed = rejected(wallet.sendTransaction(TRANSACTION));
    await timer.advance(600_000);
    expect(await failed).to.be.instanceOf(TimedOutError);
    // An unhandled rejection would fail the test run.
    reject(new Error("too late"));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it("is limited even through the functions of a wallet client", async () => {
    const controller = new AbortController();
    const { client } = new ScriptedWallet(hanging);
    const bounded = boundClient({ ...client, pollingInterval: 7 }, { signal: controller.signal });
    expect([bounded.pollingInterval, bounded.account, bounded.chain]).to.deep.equal([7, client.account, undefined]);
    setImmediate(() => controller.abort());
    expect((await rejected(getChainId(bounded))).code).to.equal("ABORTED");
  });

  it("fails with the kit's error, extracted from a viem error", () => {
    const inner = new TimedOutError({ what: "", timeoutMs: 1, hint: "" });
    const cyclic = new Error("no");
    cyclic.cause = cyclic;
    expect(kitErrorIn(new Error("outer", { cause: new Error("middle", { cause: inner }) }))).to.equal(inner);
    expect([kitErrorIn(cyclic), kitErrorIn("text"), kitErrorIn(undefined)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });

  describe("that the node rejects because of a rate limit", () => {
    const limited: Record<string, () => never> = {
      "-32005": failing(-32_005, "limit exceeded"),
      "-32097": failing(-32_097, "rate limited"),
      "429": failing(429, "Too Many Requests"),
      words: failing(-32_000, "rate limit exceeded, retry in 1s"),
      "compute units": failing(undefined, "Your app has exceeded its compute units per second capacity."),
    };
    for (const [name, fail] of Object.entries(limited)) {
      it(`is retried: ${name}`, async () => {
        const timer = virtualTimer();
        let count = 0;
        const source = new ScriptedWallet({ eth_blockNumber: () => (++count < 4 ? fail() : "0x9") });
        const { client } = await openWallet(source.client, "wallet", { timer });
        // Disables the transport's retries, because they would use real pauses.
        const bounded = boundClient({ ...source.client, request: withoutRetries(source) }, { timer });
        expect(client.chain).to.equal(undefined);
        const number = getBlockNumber(bounded);
        await timer.advance(250 + 500 + 1_000);
        expect([await number, count]).to.deep.equal([9n, 4]);
      });
    }

    it("is retried after the time that the node specifies", async () => {
      const timer = virtualTimer();
      let count = 0;
      const source = new ScriptedWallet({
        eth_blockNumber() {
          if (++count > 1) return "0x9";
          throw Object.assign(new Error("daily limit"), { code: -32_005, data: { rate: { backoff_seconds: 7 } } });
        },
      });
      const number = getBlockNumber(boundClient({ ...source.client, request: withoutRetries(source) }, { timer }));
      await timer.advance(6_999);
      expect(count).to.equal(1);
      await timer.advance(1);
      expect([await number, count]).to.deep.equal([9n, 2]);
    });

    it("fails with the node's error after some retries", async () => {
      const timer = virtualTimer();
      const source = new ScriptedWallet({ eth_blockNumber: failing(429, "no") });
      const failed = getBlockNumber(
        boundClient({ ...source.client, request: withoutRetries(source) }, { timer }),
      ).catch((error: unknown) => error);
      await timer.advance(20_000);
      expect(await failed).to.include({ code: 429 });
      expect(source.methods).to.have.length(6);
    });

    it("fails immediately if the node requires a long pause", async () => {
      const timer = virtualTimer();
      const fail = (): never => {
        throw Object.assign(new Error("daily limit"), { code: 429, data: { rate: { backoff_seconds: 60 } } });
      };
      const source = new ScriptedWallet({ eth_blockNumber: fail });
      const client = boundClient({ ...source.client, request: withoutRetries(source) }, { timer });
      expect(await getBlockNumber(client).catch((error: unknown) => error)).to.include({ code: 429 });
      expect(source.methods).to.have.length(1);
    });

    it("ends its pause if the signal aborts", async () => {
      const controller = new AbortController();
      const timer = virtualTimer();
      const source = new ScriptedWallet({ eth_blockNumber: failing(429) });
      const client = boundClient(
        { ...source.client, request: withoutRetries(source) },
        { timer, signal: controller.signal },
      );
      const failed = rejected(getBlockNumber(client));
      await timer.untilDueAt(250);
      controller.abort();
      expect((await failed).code).to.equal("ABORTED");
      expect(timer.due).to.deep.equal([]);
    });

    for (const code of [-32_005, 429, -32_603, undefined]) {
      it(`is not retried if it shows a prompt: ${code}`, async () => {
        const source = new ScriptedWallet({
          eth_sendTransaction: failing(code, "too many requests"),
          wallet_sendCalls: failing(code, "too many requests"),
        });
        const wallet = await openWallet(source.client, "wallet");
        const { client } = wallet;
        await wallet.sendTransaction(TRANSACTION).catch(() => undefined);
        await client.request({ method: "wallet_sendCalls", params: [] } as never).catch(() => undefined);
        expect(source.methods).to.deep.equal(["eth_sendTransaction", "wallet_sendCalls"]);
      });
    }
  });
});

function withoutRetries(source: ScriptedWallet) {
  return (({ method, params }: { method: string; params?: readonly unknown[] }) =>
    source.request(method, params ?? [])) as typeof source.client.request;
}

describe("a JSON-RPC wallet", () => {
  it("receives the chain of a transaction only once", async () => {
    const source = new ScriptedWallet({ eth_sendTransaction: () => HASH.toUpperCase() });
    const wallet = await openWallet(source.client, "wallet");
    expect(await wallet.sendTransaction(TRANSACTION)).to.equal(HASH);
    expect(source.params.eth_sendTransaction).to.deep.equal([
      {
        from: USER,
        to: USER,
        chainId: "0x5",
        nonce: "0x1",
        data: "0xdeadbeef",
        value: "0x7",
        gas: "0x5208",
        type: "0x2",
        maxFeePerGas: "0x9",
        maxPriorityFeePerGas: "0x2",
      },
    ]);
    await wallet.sendTransaction({ ...TRANSACTION, fees: { gasPrice: 3n } });
    expect(source.params.eth_sendTransaction?.[0]).to.include({ type: "0x0", gasPrice: "0x3" });
  });

  for (const answer of [null, undefined, "", "0x", {}, `0x${"0".repeat(64)}`]) {
    it(`reports no hash if it returns ${JSON.stringify(answer)}`, async () => {
      const wallet = await openWallet(new ScriptedWallet({ eth_sendTransaction: () => answer }).client, "wallet");
      expect(await wallet.sendTransaction(TRANSACTION)).to.equal(undefined);
    });
  }

  it("is not called again with another method", async () => {
    for (const code of [-32_000, -32_602, -32_601, -32_004]) {
      const source = new ScriptedWallet({ eth_sendTransaction: failing(code) });
      const wallet = await openWallet(source.client, "wallet");
      await wallet.sendTransaction(TRANSACTION).catch(() => undefined);
      expect(source.methods).to.deep.equal(["eth_sendTransaction"]);
    }
  });

  const withDomainType = (EIP712Domain: TypedData["types"][string]): TypedData => ({
    ...TYPED,
    types: { ...TYPED.types, EIP712Domain },
  });
  for (const [name, data] of Object.entries({
    "without a domain type": TYPED,
    "with an empty domain type": withDomainType([]),
    "with a domain type that leaves out the chain": withDomainType([{ name: "salt", type: "bytes32" }]),
    "with a chain id in text": { ...TYPED, domain: { ...TYPED.domain, chainId: "0x5" } },
    "with empty fields": { ...TYPED, domain: { ...TYPED.domain, salt: null } },
  })) {
    it(`receives typed data ${name} with the type of its domain`, async () => {
      const source = new ScriptedWallet({ eth_signTypedData_v4: () => `0x${"12".repeat(64)}1b` });
      await (await openWallet(source.client, "wallet")).signTypedData(signable(data));
      const [account, payload] = source.params.eth_signTypedData_v4 as [string, string];
      expect([account, JSON.parse(payload)]).to.deep.equal([
        USER,
        {
          domain: { name: "Token", version: "2", chainId: 5, verifyingContract: USER.toLowerCase() },
          types: {
            EIP712Domain: [
              { name: "name", type: "string" },
              { name: "version", type: "string" },
              { name: "chainId", type: "uint256" },
              { name: "verifyingContract", type: "address" },
            ],
            Note: [{ name: "amount", type: "uint256" }],
          },
          primaryType: "Note",
          message: { amount: "12" },
        },
      ]);
    });
  }

  for (const [field, value] of [
    ["chainId", "base"],
    ["chainId", -1],
    ["owner", USER],
  ] as const) {
    it(`does not receive typed data if its domain has a ${field} of ${value}`, async () => {
      const source = new ScriptedWallet({});
      const wallet = await openWallet(source.client, "wallet");
      const data = { ...TYPED, domain: { ...TYPED.domain, [field]: value } };
      const error = await rejected(Promise.resolve().then(() => wallet.signTypedData(signable(data))));
      expect(factsOf(error)).to.deep.equal({
        code: "MALFORMED_DATA",
        what: "the typed data to sign",
        path: `domain.${field}`,
      });
      expect(source.methods).to.deep.equal([]);
    });
  }

  const SHORT = `0x${"12".repeat(64)}`;
  for (const [name, code, expected] of [
    ["an account without code", "0x", `${SHORT}1c`],
    ["a delegated account", `0xef0100${"11".repeat(20)}`, `${SHORT}1c`],
    ["a contract account", "0x6080", `${SHORT}01`],
  ] as const) {
    it(`signs as ${name} with a v of 1`, async () => {
      const source = new ScriptedWallet({ personal_sign: () => `${SHORT}01`, eth_getCode: () => code });
      const wallet = await openWallet(source.client, "wallet");
      expect(await wallet.signMessage("text")).to.equal(expected);
    });
  }

  it("signs as an account without code if its node reports no code", async () => {
    const source = new ScriptedWallet({ personal_sign: () => `${SHORT}00` });
    expect(await (await openWallet(source.client, "wallet")).signMessage("text")).to.equal(`${SHORT}1b`);
  });

  it("fails if it returns no signature", async () => {
    const wallet = await openWallet(new ScriptedWallet({ personal_sign: () => null }).client, "wallet");
    expect((await rejected(wallet.signMessage("text"))).code).to.equal("MALFORMED_DATA");
  });

  it("requires an account", async () => {
    const { client } = new ScriptedWallet({});
    const without = { ...client, account: undefined } as never;
    expect(factsOf(await rejected(openWallet(without, "wallets[5]")))).to.deep.equal({
      code: "INVALID_INPUT",
      field: "wallets[5].account",
      value: undefined,
    });
  });
});

describe("an account that holds its key", () => {
  it("signs with the type of its own domain", async () => {
    const wallet = await openWallet(new ScriptedWallet({}, { account: localAccounts.user }).client, "wallet");
    const signature = await wallet.signTypedData(signable({ ...TYPED, types: { ...TYPED.types, EIP712Domain: [] } }));
    const { domain, types, primaryType, value: message } = TYPED;
    const hash = hashTypedData({ domain, types, primaryType, message });
    expect(await recoverAddress({ hash, signature })).to.equal(USER);
  });

  it("sends the transaction that it signed", async () => {
    const source = new ScriptedWallet({ eth_sendRawTransaction: () => HASH }, { account: localAccounts.user });
    const wallet = await openWallet(source.client, "wallet");
    expect(await wallet.sendTransaction(TRANSACTION)).to.equal(HASH);
    expect(source.params.eth_sendRawTransaction).to.deep.equal([await wallet.signTransaction?.(TRANSACTION)]);
  });
});

describe("an ethers signer", () => {
  const source = new ScriptedWallet({
    eth_chainId: () => "0x5",
    eth_accounts: () => [USER],
    eth_requestAccounts: () => [USER],
    eth_sendTransaction: () => null,
    eth_signTypedData_v4: () => `0x${"12".repeat(64)}00`,
    eth_getCode: () => "0x",
    personal_sign: () => `0x${"12".repeat(64)}01`,
  });
  const provider = new BrowserProvider({
    request: ({ method, params }: { method: string; params?: readonly unknown[] }) =>
      source.request(method, params ?? []),
  });

  it("returns the wallet's result, and does not wait for its node", async () => {
    const wallet = await openWallet(await provider.getSigner(), "wallet");
    expect(await wallet.sendTransaction(TRANSACTION)).to.equal(undefined);
    source.answers = { ...source.answers, eth_sendTransaction: () => HASH };
    expect(await wallet.sendTransaction(TRANSACTION)).to.equal(HASH);
  });

  it("returns normalized signatures, and signs typed data with the type of its domain", async () => {
    const wallet = await openWallet(await provider.getSigner(), "wallet");
    expect(await wallet.signMessage("text")).to.equal(`0x${"12".repeat(64)}1c`);
    const data = { ...TYPED, types: { ...TYPED.types, EIP712Domain: [] } };
    expect(await wallet.signTypedData(signable(data))).to.equal(`0x${"12".repeat(64)}1b`);
    const payload = JSON.parse(source.params.eth_signTypedData_v4?.[1] as string) as TypedData;
    expect(payload.types.EIP712Domain?.map(({ name }) => name)).to.deep.equal([
      "name",
      "version",
      "chainId",
      "verifyingContract",
    ]);
  });

  it("ends if the signal aborts, and after a timeout", async () => {
    const asked = Object.assign(new Wallet(`0x${"11".repeat(32)}`, new JsonRpcProvider("http://127.0.0.1:1")), {
      signTypedData: silence,
      signMessage: silence,
      signTransaction: silence,
    });
    const timer = virtualTimer();
    const wallet = await openWallet(asked, "wallet", { timer, promptTimeoutMs: 5 });
    for (const ask of [
      () => wallet.signTypedData(signable()),
      () => wallet.signMessage("text"),
      () => wallet.signTransaction!(TRANSACTION),
    ]) {
      const failed = rejected(ask());
      await timer.advance(5);
      expect(factsOf(await failed)).to.deep.equal({ code: "TIMED_OUT", timeoutMs: 5 });
    }
    asked.provider?.destroy();
  });
});

describe("a wallet's chain", () => {
  const on = async (
    answers: ConstructorParameters<typeof ScriptedWallet>[0],
    timer = virtualTimer(),
    known = false,
  ) => {
    const chain = describeChain(5, "http://127.0.0.1:1");
    const source = new ScriptedWallet(answers, known ? { chain } : {});
    const wallets = await openWallets(source.client, {}, { timer });
    return { source, timer, opened: wallets.on(5, USER) };
  };

  for (const answer of ["0x5", "0X05", "5", 5, "eip155:5"]) {
    it(`is read from ${typeof answer} ${answer}`, async () => {
      const { opened, source } = await on({ eth_chainId: () => answer });
      expect((await opened).address).to.equal(USER);
      expect(source.methods).to.deep.equal(["eth_chainId"]);
    });
  }

  for (const answer of [null, "base", {}]) {
    it(`is not read from ${JSON.stringify(answer)}`, async () => {
      const { opened } = await on({ eth_chainId: () => answer });
      expect(factsOf(await rejected(opened))).to.deep.equal({ code: "CHAIN_ERROR", chainId: undefined });
    });
  }

  it("is awaited after a switch", async () => {
    const { opened, timer, source } = await on({
      eth_chainId: ids("0x1", "0x1", "0x1", "0x5"),
      wallet_switchEthereumChain: () => null,
    });
    await timer.advance(500);
    expect((await opened).address).to.equal(USER);
    expect(source.params.wallet_switchEthereumChain).to.deep.equal([{ chainId: "0x5" }]);
  });

  it("is reported if it never changes", async () => {
    const { opened, timer } = await on({ eth_chainId: () => "0x1", wallet_switchEthereumChain: () => null });
    const failed = rejected(opened);
    await timer.advance(11_000);
    expect(factsOf(await failed)).to.deep.equal({ code: "WRONG_CHAIN", expectedChainId: 5, actualChainId: 1 });
    expect(timer.due).to.deep.equal([]);
  });

  it("is awaited while a switch prompt is open in the wallet", async () => {
    const { opened, timer } = await on({
      eth_chainId: ids("0x1", "0x1", "0x1", "0x5"),
      wallet_switchEthereumChain: failing(-32_002, "Request already pending"),
    });
    await timer.advance(500);
    expect((await opened).address).to.equal(USER);
  });

  it("is not requested again if the wallet does not respond to the switch request", async () => {
    const { opened, timer, source } = await on({ eth_chainId: () => "0x1", wallet_switchEthereumChain: silence });
    const failed = rejected(opened);
    await timer.advance(600_000);
    expect(factsOf(await failed)).to.deep.equal({ code: "TIMED_OUT", timeoutMs: 600_000 });
    expect(source.methods).to.deep.equal(["eth_chainId", "wallet_switchEthereumChain"]);
  });

  it("is not awaited if the wallet cannot switch", async () => {
    const { opened } = await on({ eth_chainId: () => "0x1" });
    expect(factsOf(await rejected(opened))).to.deep.equal({
      code: "WRONG_CHAIN",
      expectedChainId: 5,
      actualChainId: 1,
    });
  });

  it("causes a rejection if the user refuses to switch", async () => {
    for (const fail of [failing(4_001), failing(undefined, "User rejected the request.")]) {
      const { opened } = await on({ eth_chainId: () => "0x1", wallet_switchEthereumChain: fail });
      const error = await rejected(opened);
      expect(factsOf(error)).to.deep.equal({ code: "USER_REJECTED", stepId: "wallet_switchEthereumChain" });
      expect(isUserRejection(error)).to.equal(true);
    }
  });

  const unknown = {
    "4902": failing(4_902, "Unrecognized chain ID"),
    "MetaMask Mobile": () => {
      throw Object.assign(new Error("Internal"), { code: -32_603, data: { originalError: { code: 4_902 } } });
    },
    words: failing(-32_603, 'Unrecognized chain ID "0x5". Try adding the chain using wallet_addEthereumChain first.'),
  };
  for (const [name, fail] of Object.entries(unknown)) {
    it(`is added if the wallet does not know it: ${name}`, async () => {
      let isAdded = false;
      let isOn = false;
      const { opened, source, timer } = await on(
        {
          eth_chainId: () => (isOn ? "0x5" : "0x1"),
          wallet_switchEthereumChain: () => (isAdded ? ((isOn = true), null) : fail()),
          wallet_addEthereumChain: () => ((isAdded = true), null),
        },
        virtualTimer(),
        true,
      );
      await timer.advance(0);
      expect((await opened).address).to.equal(USER);
      expect(source.params.wallet_addEthereumChain).to.deep.equal([
        {
          chainId: "0x5",
          chainName: source.client.chain?.name,
          nativeCurrency: source.client.chain?.nativeCurrency,
          rpcUrls: ["http://127.0.0.1:1"],
        },
      ]);
    });
  }

  it("is reported if it is unknown to the wallet and the caller", async () => {
    const { opened, source } = await on({ eth_chainId: () => "0x1", wallet_switchEthereumChain: failing(4_902) });
    expect((await rejected(opened)).code).to.equal("WRONG_CHAIN");
    expect(source.methods).to.deep.equal(["eth_chainId", "wallet_switchEthereumChain", "eth_chainId"]);
  });

  it("causes a rejection if the user refuses to add it", async () => {
    const { opened } = await on(
      { eth_chainId: () => "0x1", wallet_switchEthereumChain: failing(4_902), wallet_addEthereumChain: failing(4_001) },
      virtualTimer(),
      true,
    );
    expect(factsOf(await rejected(opened))).to.deep.equal({ code: "USER_REJECTED", stepId: "wallet_addEthereumChain" });
  });
});
