// Pays with an ethers signer, and with a viem wallet.
import { createServiceClient, executeSteps, getQuote } from "@crosscall/sdk";
import { localnet } from "crosscall/localnet";
import { HDNodeWallet, JsonRpcProvider } from "ethers";
import { createWalletClient, defineChain, http, parseEther, zeroAddress } from "viem";

const network = await localnet({ oracle: false });
const [origin, destination] = network.chains;
const provider = new JsonRpcProvider(origin.rpcUrl);
try {
  const phrase = "test test test test test test test test test test test junk";
  const signer = HDNodeWallet.fromPhrase(phrase, undefined, "m/44'/60'/0'/0/0").connect(provider);
  const chain = defineChain({
    id: origin.id,
    name: origin.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [origin.rpcUrl] } },
  });
  const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  for (const wallet of [signer, createWalletClient({ account: network.accounts.user, chain, transport: http() })]) {
    const quote = await getQuote(client, {
      user: network.accounts.user.address,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: zeroAddress,
      destinationCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      amount: parseEther("0.1").toString(),
    });
    const { status } = await executeSteps(client, { quote, wallet, pollIntervalMs: 100 });
    if (status.status !== "success") throw new Error("the request is " + status.status);
  }
} finally {
  provider.destroy();
  await network.close();
}
