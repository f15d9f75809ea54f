import { createClient, type Execute } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { adaptTronWallet } from "@relayprotocol/relay-tron-wallet-adapter";
import { expect } from "chai";
import { TronWeb } from "tronweb";

import { useNetwork } from "../../support/useNetwork.ts";
import { post } from "../support/serviceCalls.ts";

const TRON = 728_126_428;
const TRX = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
const USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const KEY = "1".repeat(64);
const wallet = TronWeb.address.fromPrivateKey(KEY);
if (wallet === false) throw new Error("not a key");

describe("Tron's ledger", () => {
  const network = useNetwork();
  it("x", async () => {
    const client = createClient({ baseApiUrl: network.url, pollingInterval: 50, websocket: { enabled: false } });
    const chains = await configureDynamicChains();
    const tron = chains.find(({ id }) => id === TRON);
    console.log(tron);
    const tronWeb = new TronWeb({ fullHost: tron?.httpRpcUrl ?? "", privateKey: KEY });
    for (const [currency, amount] of [[TRX, "100000000"], [USDT, "50000000"]] as const) {
      console.log(await post(network, `/admin/chains/${TRON}/faucet`, { address: wallet, currency, amount }, { "x-admin-key": network.adminKey }));
      const quote = await client.actions.getQuote({ chainId: TRON, toChainId: network.chains[0].id, currency, toCurrency: "0x0000000000000000000000000000000000000000", amount, tradeType: "EXACT_INPUT", user: wallet, recipient: network.accounts.user.address });
      console.log(JSON.stringify(quote.steps, null, 1));
      let last: unknown;
      console.time("e");
      await client.actions.execute({ quote, wallet: adaptTronWallet(wallet, tronWeb), onProgress: ({ txHashes }) => { last = txHashes; } });
      console.timeEnd("e");
      console.log(last, await tronWeb.trx.getBalance(wallet));
    }
  });
});
