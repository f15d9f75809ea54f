import { createClient, type Execute } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import axios from "axios";
import { expect } from "chai";
import { type Address, type Hex, parseEther, parseSignature, zeroAddress } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

import { createChainRpc } from "../../../packages/oracle/src/rpc/chainRpc.ts";
import {
  createExplorerEndpoint,
  createHyperliquidReader,
  createInfoEndpoint,
} from "../../../packages/oracle/src/vms/hyperliquid/hyperliquidReader.ts";
import { HYPERLIQUID_CHAIN_ID } from "../../../packages/protocol/src/chains/chainIds.ts";
import type { ChainEntry, Quote } from "../../../packages/protocol/src/complete.ts";
import { isTerminalStatus, type QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { createServiceClient, executeSteps } from "../../../packages/sdk/src/index.ts";
import { until } from "../../support/until.ts";
import { chainsOf, useNetwork } from "../../support/useNetwork.ts";
import { callAdmin } from "../support/adminCalls.ts";
import { dollarsOf, userWallet } from "../support/parties.ts";
import { type Answer, get, post, recordOf } from "../support/serviceCalls.ts";

const PERPS = "0x00000000000000000000000000000000";
const SPOT = "0x6d1e7cde53ba9467b783cb7c530ce054";
const DEPOSITORY = "0x66cf0aace1b4e562593bec10ec7868fba9932224";

/** 100 US dollars. */
const HUNDRED = 10_000_000_000n;

interface TypedData {
  readonly domain: Record<string, unknown>;
  readonly types: Record<string, { name: string; type: string }[]>;
  readonly primaryType: string;
  readonly value: Record<string, unknown>;
}

interface Mapping {
  readonly sign: TypedData;
  readonly post: { readonly endpoint: string; readonly body: Record<string, unknown> };
}

interface Send {
  readonly action: { readonly type: string; readonly parameters: Record<string, unknown> };
  readonly nonce: number;
  readonly eip712Types: TypedData["types"];
  readonly eip712PrimaryType: string;
}

describe("the Hyperliquid ledger", () => {
  const network = useNetwork({ defaultApiKey: "crosscall-local" });
  const [chain] = chainsOf(network);
  let api = "";
  let redirect = 0;

  before(async () => {
    const { body } = await get(network, "/chains");
    api = (body as { chains: ChainEntry[] }).chains.find(({ id }) => id === HYPERLIQUID_CHAIN_ID)?.httpRpcUrl ?? "";
    // The published SDK has a fixed URL.
    redirect = axios.interceptors.request.use((config) => ({
      ...config,
      url: (config.url ?? "").replace("https://api.hyperliquid.xyz", api),
    }));
  });
  after(() => axios.interceptors.request.eject(redirect));

  const call = async (path: string, body: unknown): Promise<Answer> => {
    const response = await fetch(`${api}${path}`, { method: "POST", body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text };
  };
  const info = async <Body>(type: string, user: string): Promise<Body> =>
    (await call("/info", { type, user, startTime: 0 })).body as Body;
  const perpsOf = async (user: string): Promise<string> =>
    (await info<{ withdrawable: string }>("clearinghouseState", user)).withdrawable;
  const spotOf = async (user: string): Promise<string | undefined> =>
    (await info<{ balances: { total: string }[] }>("spotClearinghouseState", user)).balances[0]?.total;
  const fund = async (address: string, amount = HUNDRED, currency = PERPS): Promise<void> => {
    const path = `/admin/chains/${HYPERLIQUID_CHAIN_ID}/faucet`;
    const { status } = await callAdmin(network, "POST", path, { address, currency, amount: `${amount}` });
    expect(status).to.equal(200);
  };
  const requestFrom = (user: Address, change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    user,
    recipient: network.accounts.user.address,
    originChainId: HYPERLIQUID_CHAIN_ID,
    destinationChainId: chain.id,
    originCurrency: PERPS,
    destinationCurrency: chain.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: "5000000000",
    ...change,
  });
  const quoteFrom = async (user: Address, change: Partial<QuoteRequest> = {}): Promise<Quote> => {
    const { status, body } = await post(network, "/quote/v2", { ...requestFrom(user, change), protocolVersion: "v2" });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as Quote;
  };
  const idOf = ({ steps }: Quote): string => steps[0]?.requestId ?? "";
  const dataOf = <Data>({ steps }: Quote, index: number): Data => steps[index]?.items[0]?.data as unknown as Data;
  const mappingOf = (quote: Quote): Mapping => dataOf(quote, 0);
  const sendOf = (quote: Quote): Send => dataOf(quote, 1);
  const endOf = (quote: Quote) =>
    until(async () => {
      const record = await recordOf(network, idOf(quote));
      return isTerminalStatus(record.status) && record;
    });

  const sign = (account: PrivateKeyAccount, { domain, types, primaryType, value }: TypedData): Promise<Hex> =>
    account.signTypedData({ domain, types, primaryType, message: value });
  const authorize = async (
    account: PrivateKeyAccount,
    { sign: typed, post: { endpoint, body } }: Mapping,
  ): Promise<Answer> => post(network, `${endpoint}?signature=${await sign(account, typed)}`, body);

  /** Signs the parameters, and sends the action with changes. */
  async function send(
    account: PrivateKeyAccount,
    { action, nonce, eip712Types, eip712PrimaryType }: Send,
    { parameters = {}, unsigned = {} }: { parameters?: Record<string, unknown>; unsigned?: object } = {},
  ): Promise<Answer> {
    const value = { ...action.parameters, ...parameters };
    const domain = {
      name: "HyperliquidSignTransaction",
      version: "1",
      chainId: 42_161,
      verifyingContract: zeroAddress,
    };
    const signature = await sign(account, { domain, types: eip712Types, primaryType: eip712PrimaryType, value });
    const { r, s, v } = parseSignature(signature);
    return call("/exchange", {
      action: { type: action.type, signatureChainId: "0xa4b1", ...value, ...unsigned },
      nonce: value.nonce ?? value.time ?? nonce,
      signature: { r, s, v: Number(v) },
    });
  }

  const OK: Answer = { status: 200, body: { status: "ok", response: { type: "default" } } };
  const failure = (response: string): Answer => ({ status: 200, body: { status: "err", response } });

  async function fundedAccount(): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey());
    await fund(account.address);
    return account;
  }

  describe("with the published SDK and its viem wallet adapter", () => {
    const sdk = async () => {
      const client = createClient({ baseApiUrl: network.url, chains: [], pollingInterval: 50 });
      await configureDynamicChains();
      return client;
    };

    for (const [market, currency, balanceOf] of [
      ["perpetuals", PERPS, perpsOf],
      ["spot", SPOT, spotOf],
    ] as const) {
      it(`pays a request from the ${market} market`, async () => {
        const user = network.accounts.user.address;
        await fund(user, HUNDRED, currency);
        const { actions } = await sdk();
        const quote = await actions.getQuote({
          chainId: HYPERLIQUID_CHAIN_ID,
          toChainId: chain.id,
          currency,
          toCurrency: chain.contracts.dollar,
          amount: "5000000000",
          tradeType: "EXACT_INPUT",
          user,
          recipient: user,
        });
        const before = await dollarsOf(chain, user);
        const held = await balanceOf(DEPOSITORY);
        const { data } = (await actions.execute({ quote, wallet: userWallet(network, chain) })) as { data: Execute };
        expect(data.steps.map(({ id, items }) => [id, items.map(({ status }) => status)])).to.deep.equal([
          ["authorize", ["complete"]],
          ["hyperliquid-signature", ["complete"]],
        ]);
        expect((await dollarsOf(chain, user)) - before).to.equal(BigInt(quote.details?.currencyOut?.amount ?? 0));
        expect(await balanceOf(user)).to.equal("50.0");
        expect(Number(await balanceOf(DEPOSITORY)) - Number(held ?? 0)).to.equal(50);
        const record = await recordOf(network, quote.steps[0]?.requestId ?? "");
        expect(record.status).to.equal("success");
        expect(record.data.inTxs[0]).to.include({ chainId: HYPERLIQUID_CHAIN_ID });
        const { tx } = (await call("/explorer", { type: "txDetails", hash: record.data.inTxs[0]?.txHash })).body as {
          tx: { user: string; action: object };
        };
        expect(tx).to.deep.include({ user: user.toLowerCase(), error: null });
        expect(tx.action).to.include({ type: "sendAsset", destination: DEPOSITORY, amount: "50.000000" });
      });
    }
  });
});
