import { expect } from "chai";
import { type Hex, type LocalAccount, zeroAddress } from "viem";

import { importCopy } from "./copies.ts";
import {
  API_KEY,
  approval,
  ARBITRUM_USDC,
  BASE_USDC,
  type Check,
  OPTIMISM_USDT,
  type SentTransaction,
  type Stage,
} from "./stage.ts";

interface Quote {
  readonly order: {
    readonly steps: readonly {
      readonly kind: string;
      readonly chainId: number;
      readonly transaction: SentTransaction;
    }[];
    readonly checks?: {
      readonly allowances?: readonly {
        readonly chainId: number;
        readonly tokenAddress: string;
        readonly spender: string;
        readonly required: string;
      }[];
    };
  };
  readonly preview: { readonly outputs: readonly { readonly amount: string }[] };
  readonly tracking?: { readonly orderId?: string };
}

interface Provider {
  readonly protocolName: string;
  readonly providerId: string;
  readonly getQuotes: (request: object) => Promise<readonly Quote[]>;
  readonly submitOrder: (quote: Quote, signature: Hex) => Promise<unknown>;
}

type Tokens = Readonly<Record<string, { readonly symbol: string }>>;

interface Assets {
  readonly tokensByChain: Readonly<Record<number, readonly unknown[]>>;
  readonly tokenMetadata: Readonly<Record<number, Tokens>>;
}

interface Aggregator {
  readonly discoverAssets: (options: object) => Promise<Assets>;
  getQuotes(request: object): Promise<{ readonly quotes: readonly Quote[]; readonly errors: readonly unknown[] }>;
  prepareTracking(providerId: string): {
    watchOrder(options: object): AsyncIterable<{ readonly update?: { readonly status: string } }>;
  };
}

interface InteropSdk {
  readonly createCrossChainProvider: (name: string, options: object) => Provider;
  readonly createAggregator: (options: { readonly providers: readonly Provider[] }) => Aggregator;
  readonly createAssetDiscoveryService: (provider: Provider) => { getSupportedAssets(): Promise<Assets> };
  readonly isSignatureOnlyOrder: (order: Quote["order"]) => boolean;
  getSignatureSteps(order: Quote["order"]): readonly {
    readonly signaturePayload: Parameters<LocalAccount["signTypedData"]>[0];
  }[];
}

type Place = readonly [chainId: number, currency: string];

const ROUTES: readonly (readonly [name: string, from: Place, to: Place, amount: string])[] = [
  ["native to native", [8_453, zeroAddress], [42_161, zeroAddress], "10000000000000000"],
  ["native to dollars", [8_453, zeroAddress], [42_161, ARBITRUM_USDC], "10000000000000000"],
  ["dollars to dollars", [8_453, BASE_USDC], [42_161, ARBITRUM_USDC], "10000000"],
  ["dollars to native", [8_453, BASE_USDC], [10, zeroAddress], "10000000"],
  ["dollars to other dollars", [8_453, BASE_USDC], [10, OPTIMISM_USDT], "10000000"],
  [
    "another address of the native currency",
    [8_453, "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"],
    [42_161, ARBITRUM_USDC],
    "10000000000000000",
  ],
];

/** Gets a quote, pays, and tracks the request with the provider for this service. */
export async function runProvider(folder: string, stage: Stage, check: Check): Promise<void> {
  const sdk = await importCopy<InteropSdk>(`${folder}/dist/src/index.js`);
  const account = stage.accountOf("spare 3");
  const provider = (options: object = {}) =>
    sdk.createCrossChainProvider("relay", { baseUrl: stage.network.url, apiKey: API_KEY, ...options });
  const aggregator = (used = provider()) => sdk.createAggregator({ providers: [used] });
  const gasless = provider({ submissionModes: ["gasless"] });
  const request = (from: Place, to: Place, amount: string, isOutput = false) => ({
    user: account.address,
    input: { chainId: from[0], assetAddress: from[1], ...(isOutput ? {} : { amount }) },
    output: { chainId: to[0], assetAddress: to[1], recipient: account.address, ...(isOutput ? { amount } : {}) },
    swapType: isOutput ? "exact-output" : "exact-input",
  });
  const dollars = request([8_453, BASE_USDC], [42_161, ARBITRUM_USDC], "10000000");
  const only = async (quotes: Promise<readonly Quote[]>): Promise<Quote> => {
    const [quote, ...others] = await quotes;
    if (quote === undefined || others.length > 0) throw new Error("not one quote");
    return quote;
  };
  const track = async (used: Provider, { tracking }: Quote, destinationChainId: number, txHash?: Hex) => {
    const orderId = tracking?.orderId;
    const tracker = aggregator(used).prepareTracking(used.providerId);
    let status: string | undefined;
    for await (const { update } of tracker.watchOrder({
      ...(orderId === undefined ? {} : { orderId }),
      ...(txHash === undefined ? {} : { txHash }),
      originChainId: 8_453,
      destinationChainId,
      timeout: 120_000,
    })) {
      status = update?.status;
    }
    expect(status).to.equal("finalized");
  };

  await check("is created", () => expect(provider().protocolName).to.equal("relay"));
  await check("lists assets", async () => {
    const { tokenMetadata } = await sdk.createAssetDiscoveryService(provider()).getSupportedAssets();
    expect(tokenMetadata[8_453]?.[BASE_USDC.toLowerCase()]?.symbol).to.equal("USDC");
  });
  await check("lists assets for the aggregator", async () => {
    const { tokensByChain } = await aggregator().discoverAssets({ chainIds: [1, 42_161] });
    expect(tokensByChain[1]?.length).to.be.greaterThan(1);
  });
  for (const [name, from, to, amount] of ROUTES) {
    let quote: Quote | undefined;
    await check(`quotes ${name}`, async () => {
      quote = await only(provider().getQuotes(request(from, to, amount)));
    });
    await check(`tracks ${name} to the fill`, async () => {
      if (quote === undefined) throw new Error("no quote");
      const { steps, checks } = quote.order;
      for (const { chainId, tokenAddress, spender, required } of checks?.allowances ?? []) {
        await stage.send(account, approval(chainId, tokenAddress, spender, BigInt(required)));
      }
      let hash: Hex | undefined;
      for (const { chainId, transaction } of steps) hash = await stage.send(account, { ...transaction, chainId });
      await track(provider(), quote, to[0], hash);
    });
  }
  await check("quotes an exact output", async () => {
    const body = request([8_453, BASE_USDC], [42_161, ARBITRUM_USDC], "10000000", true);
    const { preview } = await only(provider().getQuotes(body));
    expect(preview.outputs[0]?.amount).to.equal("10000000");
  });
  await check("tracks a permit to the fill", async () => {
    const quote = await only(gasless.getQuotes(dollars));
    expect(sdk.isSignatureOnlyOrder(quote.order)).to.equal(true);
    const [step] = sdk.getSignatureSteps(quote.order);
    if (step === undefined) throw new Error("no signature");
    await gasless.submitOrder(quote, await account.signTypedData(step.signaturePayload));
    await track(gasless, quote, 42_161);
  });
  await check("quotes both ways to pay", async () => {
    const both = provider({ submissionModes: ["user-transaction", "gasless"] });
    expect(await both.getQuotes(dollars)).to.have.length(2);
  });
  await check("passes on an error of the service", async () => {
    const small = { ...dollars, input: { ...dollars.input, amount: "1" } };
    const failure: unknown = await provider()
      .getQuotes(small)
      .catch((error: unknown) => error);
    expect(failure).to.be.an("error");
  });
  await check("quotes for the aggregator", async () => {
    const { quotes, errors } = await aggregator().getQuotes(dollars);
    expect([quotes.length, errors]).to.deep.equal([1, []]);
  });
}
