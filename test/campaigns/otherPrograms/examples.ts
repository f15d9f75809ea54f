import { expect } from "chai";
import { type Account, type Chain, type Hex, type PublicClient, type WalletClient, zeroAddress } from "viem";

import { importCopy, runCopy } from "./copies.ts";
import {
  API_KEY,
  ARBITRUM_USDC,
  BASE_USDC,
  type Check,
  followToSuccess,
  type SentTransaction,
  type Stage,
} from "./stage.ts";

/** Runs an example that pays without gas. Waits for the fill, because the example does not. */
export async function runGaslessExample(folder: string, file: string, stage: Stage, check: Check): Promise<void> {
  const { privateKey } = stage.accountOf("user");
  const env = {
    RELAY_API_URL: stage.network.url,
    RELAY_API_KEY: API_KEY,
    OWNER_PRIVATE_KEY: privateKey,
    USER_PRIVATE_KEY: privateKey,
    REFERRER: "example",
  };
  await check(file, async () => {
    const { code, output } = await runCopy(folder, ["node_modules/tsx/dist/cli.mjs", file], env, stage.redirects);
    expect(code, output).to.equal(0);
    expect(output).to.match(/\] success\n/u);
  });
}

interface Currency {
  readonly chainId: number;
  readonly address: string;
  readonly symbol: string;
}

interface Currencies {
  readonly ORIGIN_CURRENCIES_BY_CHAIN: Readonly<Record<number, readonly Currency[]>>;
  readonly DEST_CURRENCIES_BY_CHAIN: Readonly<Record<number, readonly Currency[]>>;
}

type SignedTypes = Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;

interface QuotedItem {
  readonly data: SentTransaction & {
    readonly sign?: {
      readonly domain: object;
      readonly types: SignedTypes;
      readonly primaryType: string;
      readonly value: Readonly<Record<string, unknown>>;
    };
    readonly post?: { readonly endpoint: string; readonly body: object };
  };
}

interface ExampleQuote {
  readonly steps: readonly { readonly requestId?: string; readonly items: readonly QuotedItem[] }[];
}

interface PermitExample {
  readonly getQuote: (body: object) => Promise<ExampleQuote>;
  readonly postSignature: (endpoint: string, signature: Hex, body: object) => Promise<unknown>;
  readonly getStatus: (requestId: string) => Promise<{ readonly status: string }>;
}

/**
 * Pays with permits for each route between two of the example's chains. On one chain, permits need sponsored fees,
 * which the example does not request.
 */
export async function runPermitExample(folder: string, stage: Stage, check: Check): Promise<void> {
  const { getQuote, postSignature, getStatus } = await importCopy<PermitExample>(`${folder}/lib/relay.ts`);
  const lists = await importCopy<Currencies>(`${folder}/lib/constants.ts`);
  const account = stage.accountOf("spare 1");
  const destinations = Object.values(lists.DEST_CURRENCIES_BY_CHAIN).flat();
  for (const from of Object.values(lists.ORIGIN_CURRENCIES_BY_CHAIN).flat()) {
    for (const to of destinations.filter(({ chainId }) => chainId !== from.chainId)) {
      await check(`${from.symbol} of ${from.chainId} for ${to.symbol} of ${to.chainId}`, async () => {
        const { steps } = await getQuote({
          user: account.address,
          originChainId: from.chainId,
          destinationChainId: to.chainId,
          originCurrency: from.address,
          destinationCurrency: to.address,
          amount: "10000000",
          tradeType: "EXACT_INPUT",
          usePermit: true,
        });
        for (const { data } of steps.flatMap(({ items }) => items)) {
          const { sign, post } = data;
          if (sign === undefined || post === undefined) {
            await stage.send(account, data);
            continue;
          }
          const { EIP712Domain: _, ...types } = sign.types;
          const { domain, primaryType, value: message } = sign;
          await postSignature(
            post.endpoint,
            await account.signTypedData({ domain, types, primaryType, message }),
            post.body,
          );
        }
        await followToSuccess(() => getStatus(steps[0]?.requestId ?? ""));
      });
    }
  }
}

interface WalletActions {
  readonly getQuote: (body: object) => Promise<ExampleQuote>;
  readonly getStatus: (requestId: string) => Promise<{ readonly status: string }>;
}

interface WalletClientActions {
  readonly executeQuote: (options: {
    readonly quote: ExampleQuote;
    readonly account: Account;
    readonly chains: readonly Chain[];
    readonly makeWalletClient: (chain: Chain) => WalletClient;
    readonly makePublicClient: (chain: Chain) => PublicClient;
  }) => Promise<string | undefined>;
}

/** Pays through the actions in a wallet provider's example. */
export async function runWalletActions(folder: string, stage: Stage, check: Check): Promise<void> {
  const actions = `${folder}/src/app/actions`;
  const { getQuote, getStatus } = await importCopy<WalletActions>(`${actions}/relay.ts`);
  const { executeQuote } = await importCopy<WalletClientActions>(`${actions}/relay-client.ts`);
  const account = stage.accountOf("spare 2");
  for (const [name, body] of routes(account.address)) {
    await check(name, async () => {
      const requestId = await executeQuote({
        quote: await getQuote(body),
        account,
        chains: stage.chains,
        makeWalletClient: ({ id }) => stage.clients(account, id).wallet,
        makePublicClient: ({ id }) => stage.clients(account, id).node,
      });
      await followToSuccess(() => getStatus(requestId ?? ""));
    });
  }
}

interface ServerActions {
  readonly getRelayQuote: (body: object) => Promise<ExampleQuote>;
  readonly getRelayStatus: (requestId: string) => Promise<{ readonly status: string }>;
}

/** Pays for the quotes from an example with a server wallet. */
export async function runServerActions(folder: string, stage: Stage, check: Check): Promise<void> {
  const { getRelayQuote, getRelayStatus } = await importCopy<ServerActions>(`${folder}/app/actions/relay.ts`);
  const account = stage.accountOf("spare 2");
  for (const [name, body] of routes(account.address)) {
    await check(name, async () => {
      const { steps } = await getRelayQuote(body);
      for (const { data } of steps.flatMap(({ items }) => items)) await stage.send(account, data);
      await followToSuccess(() => getRelayStatus(steps[0]?.requestId ?? ""));
    });
  }
}

function routes(user: string): readonly (readonly [name: string, body: object])[] {
  const bridge = { user, originChainId: 8_453, destinationChainId: 42_161, tradeType: "EXACT_INPUT" };
  const native = { ...bridge, originCurrency: zeroAddress, amount: "10000000000000000" };
  const dollars = { ...bridge, originCurrency: BASE_USDC, amount: "10000000" };
  return [
    ["native to native", { ...native, destinationCurrency: zeroAddress }],
    ["native to dollars", { ...native, destinationCurrency: ARBITRUM_USDC }],
    ["dollars to dollars", { ...dollars, destinationCurrency: ARBITRUM_USDC }],
    ["a swap on one chain", { ...native, destinationChainId: 8_453, destinationCurrency: BASE_USDC }],
  ];
}
