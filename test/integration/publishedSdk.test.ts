import { convertViemChainToRelayChain, createClient, type Execute } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { type Address, encodeFunctionData, erc20Abi, maxUint256, parseEther, zeroAddress } from "viem";

import { planCalls } from "../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../packages/protocol/src/index.ts";
import { describeChain } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { failureOf } from "./support/failureOf.ts";
import { dollarsOf, mintDollars, reader, userWallet, vaultedDollarsOf } from "./support/parties.ts";

// Uses the unmodified published client, with only the base URL and the chains configured.
describe("the service's published SDK used with a local network", () => {
  const network = useNetwork();
  const [origin, destination] = chainsOf(network);

  const sdk = (hasWebsocket = false) =>
    createClient({
      baseApiUrl: network.url,
      chains: network.chains.map(({ id, rpcUrl }) => convertViemChainToRelayChain(describeChain(id, rpcUrl))),
      pollingInterval: 50,
      websocket: hasWebsocket
        ? { enabled: true, url: `${network.websocketUrl}?apiKey=${network.apiKey}` }
        : { enabled: false },
    });

  interface Execution {
    readonly currency: Address;
    readonly toCurrency: Address;
    readonly amount: bigint;
    readonly txs?: readonly Call[];
    readonly hasWebsocket?: boolean;
  }

  async function execute({ currency, toCurrency, amount, txs, hasWebsocket }: Execution): Promise<Execute> {
    const { actions } = sdk(hasWebsocket);
    const user = network.accounts.user.address;
    const quote = await actions.getQuote({
      chainId: origin.id,
      toChainId: destination.id,
      currency,
      toCurrency,
      amount: amount.toString(),
      tradeType: "EXACT_INPUT",
      user,
      recipient: user,
      ...(txs === undefined ? {} : { txs: txs.map((tx) => ({ ...tx })) }),
    });
    let last: unknown;
    await actions.execute({
      quote,
      wallet: userWallet(network, origin),
      onProgress: ({ txHashes }) => {
        last = txHashes;
      },
    });
    expect(last)
      .to.be.an("array")
      .that.satisfies((hashes: { chainId: number }[]) => hashes.some(({ chainId }) => chainId === destination.id));
    return quote;
  }

  const expectedOf = (quote: Execute): bigint => BigInt(quote.details?.currencyOut?.amount ?? 0);

  /** Deposits the received amount in the vault. */
  const vaultCalls = (): readonly Call[] => {
    const { router, dollar, vaultProxy } = destination.contracts;
    const recipient = network.accounts.user.address;
    return planCalls({
      tradeType: "EXACT_INPUT",
      router,
      destinationCurrency: dollar,
      recipient,
      amount: 1n,
      actions: [{ kind: "proxy", token: dollar, proxy: vaultProxy, recipient, deadline: maxUint256 }],
    }).txs;
  };

  for (const hasWebsocket of [false, true]) {
    describe(hasWebsocket ? "following by websocket" : "following by polling", () => {
      before(() => {
        // The SDK uses a websocket if `window` has one.
        if (hasWebsocket) Object.assign(globalThis, { window: globalThis });
      });
      after(() => {
        if (hasWebsocket) Reflect.deleteProperty(globalThis, "window");
      });

      it("executes a payment in native currency, and the fill succeeds", async () => {
        const user = network.accounts.user.address;
        const before = await dollarsOf(destination, user);
        const toCurrency = destination.contracts.dollar;
        const quote = await execute({ currency: zeroAddress, toCurrency, amount: parseEther("1"), hasWebsocket });
        expect((await dollarsOf(destination, user)) - before).to.equal(expectedOf(quote));
      });

      it("executes a payment in a token with approval and deposit, and the fill succeeds", async () => {
        const user = network.accounts.user.address;
        const amount = 5_000_000_000n;
        await mintDollars(network, origin, amount);
        const held = await dollarsOf(origin, user);
        const before = await reader(destination).getBalance({ address: user });
        const quote = await execute({
          currency: origin.contracts.dollar,
          toCurrency: zeroAddress,
          amount,
          hasWebsocket,
        });
        expect((await reader(destination).getBalance({ address: user })) - before).to.equal(expectedOf(quote));
        expect(await dollarsOf(origin, user)).to.equal(held - amount);
      });

      for (const from of ["native", "token"] as const) {
        it(`executes calls that use the received amount, paid in ${from}`, async () => {
          const user = network.accounts.user.address;
          const amount = from === "native" ? parseEther("1") : 700_000_000n;
          if (from === "token") await mintDollars(network, origin, amount);
          const before = await vaultedDollarsOf(destination, user);
          const quote = await execute({
            currency: from === "native" ? zeroAddress : origin.contracts.dollar,
            toCurrency: destination.contracts.dollar,
            amount,
            txs: vaultCalls(),
            hasWebsocket,
          });
          expect((await vaultedDollarsOf(destination, user)) - before).to.equal(expectedOf(quote));
        });
      }

      it("reports a refund if the calls would revert, and the deposit is returned", async () => {
        const user = network.accounts.user.address;
        const { dollar } = destination.contracts;
        const amount = 900_000_000n;
        await mintDollars(network, origin, amount);
        const before = await dollarsOf(origin, user);
        const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [user, maxUint256] });
        const failed = await failureOf(
          execute({
            currency: origin.contracts.dollar,
            toCurrency: dollar,
            amount,
            txs: [{ to: dollar, data, value: "0" }],
            hasWebsocket,
          }),
        );
        expect(String(failed)).to.match(/refund/iu);
        expect(await dollarsOf(origin, user)).to.equal(before);
      });
    });
  }

  it("reports a rejection with the service's message", async () => {
    const user = network.accounts.user.address;
    const refused = await sdk()
      .actions.getQuote({
        chainId: origin.id,
        toChainId: destination.id,
        currency: zeroAddress,
        toCurrency: network.accounts.stranger.address,
        amount: "1000",
        tradeType: "EXACT_INPUT",
        user,
        recipient: user,
      })
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(refused).to.have.nested.property("rawError.errorCode", "INVALID_OUTPUT_CURRENCY");
  });
});

// These chain ids are not defined in viem, because the SDK would prefer viem's definitions, including their RPC
// URLs.
describe("the service's published SDK when the network alone configures it", () => {
  const network = useNetwork({ chains: [{ id: 900_001 }, { id: 900_002 }], defaultApiKey: "crosscall-local" });

  const configure = async () => {
    const client = createClient({
      baseApiUrl: network.url,
      source: "app.example",
      chains: [],
      pollingInterval: 50,
      websocket: { enabled: false },
    });
    await configureDynamicChains();
    return client;
  };

  it("reads its chains from GET /chains", async () => {
    const { chains } = await configure();
    const [origin] = network.chains;
    const chain = chains.find(({ id }) => id === origin.id);
    expect(chain).to.deep.include({ displayName: origin.name, httpRpcUrl: origin.rpcUrl, vmType: "evm" });
    expect(chain?.viemChain?.rpcUrls.default.http).to.deep.equal([origin.rpcUrl]);
    expect(chain?.currency).to.include({ id: "eth", address: zeroAddress, supportsBridging: true });
    expect(chain?.solverCurrencies?.map(({ id }) => id)).to.deep.equal(["eth", "usdc"]);
  });

  it("executes on these chains, and lists the request without a key", async () => {
    const client = await configure();
    const [origin, destination] = network.chains;
    const user = network.accounts.user.address;
    const before = await dollarsOf(destination, user);
    const quote = await client.actions.getQuote({
      chainId: origin.id,
      toChainId: destination.id,
      currency: zeroAddress,
      toCurrency: destination.contracts.dollar,
      amount: parseEther("1").toString(),
      tradeType: "EXACT_INPUT",
      user,
      recipient: user,
    });
    await client.actions.execute({ quote, wallet: userWallet(network, origin) });
    expect((await dollarsOf(destination, user)) - before).to.equal(BigInt(quote.details?.currencyOut?.amount ?? 0));
    const response = await client.utils.request({ url: `${network.url}/requests/v3?apiKey=${network.apiKey}` });
    const [listed] = (response.data as { requests: { status: string; id: string }[] }).requests;
    expect(listed).to.include({ status: "success", id: quote.steps[0]?.requestId });
  });
});
