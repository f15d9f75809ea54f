import { http, zeroAddress } from "viem";

import { post } from "../../integration/support/serviceCalls.ts";
import { importFrom } from "./copies.ts";
import { API_KEY, ARBITRUM_USDC, BASE_USDC, type Check, type Stage } from "./stage.ts";

interface RelaySdk {
  readonly createClient: (options: object) => unknown;
  readonly convertViemChainToRelayChain: (chain: object) => object;
  getClient(): {
    readonly actions: {
      readonly getQuote: (body: object) => Promise<object>;
      readonly execute: (options: { readonly quote: object; readonly wallet: object }) => Promise<unknown>;
    };
  };
}

interface EthersAdapter {
  readonly adaptEthersSigner: (signer: object, transport: object) => object;
}

interface Ethers {
  readonly ethers: {
    readonly Wallet: new (key: string, provider: object) => object;
    readonly providers: { readonly StaticJsonRpcProvider: new (url: string) => object };
  };
}

interface SvmAdapter {
  readonly adaptSolanaWallet: (
    address: string,
    chainId: number,
    connection: object,
    send: (transaction: SvmTransaction) => Promise<{ readonly signature: string }>,
  ) => object;
}

interface SvmTransaction {
  readonly signatures: readonly Uint8Array[];
  readonly sign: (signers: readonly object[]) => void;
}

interface SolanaWeb3 {
  readonly Connection: new (
    url: string,
    commitment: string,
  ) => { readonly sendTransaction: (transaction: SvmTransaction) => Promise<string> };
  readonly Keypair: { generate(): { readonly publicKey: { toBase58(): string } } };
}

const EVM = { currency: zeroAddress, amount: "10000000000000000" };
const DOLLARS = { currency: BASE_USDC, amount: "10000000" };

/** Pays with the vendor's SDK and its adapter for ethers. */
export async function runEthersAdapter(folder: string, stage: Stage, check: Check): Promise<void> {
  const sdk = await importFrom<RelaySdk>(folder, "@relayprotocol/relay-sdk");
  const { ethers } = await importFrom<Ethers>(folder, "ethers");
  const { adaptEthersSigner } = await importFrom<EthersAdapter>(folder, "@relayprotocol/relay-ethers-wallet-adapter");
  const { address: user, privateKey } = stage.accountOf("spare 4");
  const rpcUrl = stage.network.chains.find(({ id }) => id === 8_453)?.rpcUrl ?? "";
  sdk.createClient({
    baseApiUrl: stage.network.url,
    apiKey: API_KEY,
    chains: stage.chains.map((chain) => sdk.convertViemChainToRelayChain(chain)),
    pollingInterval: 100,
  });
  const signer = new ethers.Wallet(privateKey, new ethers.providers.StaticJsonRpcProvider(rpcUrl));
  for (const [name, options] of [
    ["native to native", { ...EVM, toCurrency: zeroAddress }],
    ["native to dollars", { ...EVM, toCurrency: ARBITRUM_USDC }],
    ["dollars to dollars", { ...DOLLARS, toCurrency: ARBITRUM_USDC }],
    ["dollars to dollars by a permit", { ...DOLLARS, toCurrency: ARBITRUM_USDC, options: { usePermit: true } }],
  ] as const) {
    await check(name, async () => {
      const { actions } = sdk.getClient();
      const parties = { user, recipient: user, chainId: 8_453, toChainId: 42_161, tradeType: "EXACT_INPUT" };
      const quote = await actions.getQuote({ ...parties, ...options });
      await actions.execute({ quote, wallet: adaptEthersSigner(signer, http(rpcUrl)) });
    });
  }
}

const SOLANA_ID = 792_703_809;
const SOL = "11111111111111111111111111111111";
const SOLANA_USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** Pays with the vendor's SDK and its adapter for Solana. */
export async function runSvmAdapter(folder: string, stage: Stage, check: Check): Promise<void> {
  const { network } = stage;
  const sdk = await importFrom<RelaySdk>(folder, "@relayprotocol/relay-sdk");
  const { Connection, Keypair } = await importFrom<SolanaWeb3>(folder, "@solana/web3.js");
  const { adaptSolanaWallet } = await importFrom<SvmAdapter>(folder, "@relayprotocol/relay-svm-wallet-adapter");
  const { chains } = (await (await fetch(`${network.url}/chains`)).json()) as { chains: readonly object[] };
  sdk.createClient({ baseApiUrl: network.url, apiKey: API_KEY, chains, pollingInterval: 100 });
  const keys = Keypair.generate();
  const user = keys.publicKey.toBase58();
  const connection = new Connection(network.svm?.rpcUrl ?? "", "confirmed");
  const wallet = adaptSolanaWallet(user, SOLANA_ID, connection, async (transaction) => {
    transaction.sign([keys]);
    return { signature: await connection.sendTransaction(transaction) };
  });
  for (const [name, currency, amount, toChainId, toCurrency] of [
    ["SOL to native", SOL, "1000000000", 8_453, zeroAddress],
    ["SOL to dollars", SOL, "1000000000", 42_161, ARBITRUM_USDC],
    ["dollars to native", SOLANA_USDC, "10000000", 10, zeroAddress],
    ["dollars to dollars", SOLANA_USDC, "10000000", 8_453, BASE_USDC],
  ] as const) {
    await check(name, async () => {
      const { actions } = sdk.getClient();
      const faucet = `/admin/chains/${SOLANA_ID}/faucet`;
      for (const [funded, given] of [
        [SOL, "10000000"],
        [currency, amount],
      ]) {
        const body = { address: user, currency: funded, amount: given };
        await post(network, faucet, body, { "x-admin-key": network.adminKey });
      }
      const parties = { user, recipient: network.accounts.stranger.address, chainId: SOLANA_ID, toChainId };
      const quote = await actions.getQuote({ ...parties, currency, toCurrency, amount, tradeType: "EXACT_INPUT" });
      await actions.execute({ quote, wallet });
    });
  }
  // The client would reconnect forever, and has no method to stop.
  (Reflect.get(connection, "_rpcWebSocket") as { close(): void }).close();
}
