import { expect } from "chai";
import { createWalletClient, http, numberToHex, parseEther } from "viem";

import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import type { LocalnetChain } from "../../packages/crosscall/src/localnet/index.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import { getQuote } from "../support/complete.ts";
import { factsOf, rejected } from "../support/rejection.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { LyingRpc } from "./support/lyingRpc.ts";
import { mintDollars, reader } from "./support/parties.ts";
import { etherRequest } from "./support/requests.ts";

const PRICE = 10n ** 15n;

describe("a wallet's node that lies", () => {
  const network = useNetwork();
  let origin: LocalnetChain;
  let node: LyingRpc;

  before(async () => {
    [origin] = network.chains;
    await mintDollars(network, origin, 1_000_000_000n);
    node = await LyingRpc.start(origin.rpcUrl);
  });
  after(() => node.close());
  afterEach(() => {
    node.lie = undefined;
  });

  const pay = async (change: Partial<QuoteRequest> = {}) => {
    const client = createServiceClient({ baseUrl: network.url });
    const quote = await getQuote(client, etherRequest(network, { amount: parseEther("0.01").toString(), ...change }));
    const wallet = createWalletClient({ account: network.accounts.user, transport: http(node.url, { retryCount: 0 }) });
    return executeSteps(client, { quote, wallet, pollIntervalMs: 25 });
  };
  const countSent = () => reader(origin).getTransactionCount({ address: network.accounts.user.address });
  const dearBlock = (result: unknown): unknown => ({ ...(result as object), baseFeePerGas: numberToHex(PRICE) });

  it("about the gas price does not get a transaction signed", async () => {
    const before = await countSent();
    node.lie = (method, result) => (method === "eth_getBlockByNumber" ? dearBlock(result) : result);
    const error = await rejected(pay());
    expect(factsOf(error)).to.include({ code: "GAS_COST_TOO_HIGH", chainId: origin.id });
    expect(factsOf(error)).to.include({ maximumGasPrice: String(20n * 10n ** 9n) });
    expect(await countSent()).to.equal(before);
  });

  for (const [name, change, worth] of [
    ["native currency", {}, parseEther("0.01")],
    ["a token", { amount: "50000000" }, undefined],
  ] as const) {
    it(`about the gas price and its history is limited by the value of ${name}`, async () => {
      const before = await countSent();
      node.lie = (method, result) => {
        if (method === "eth_getBlockByNumber") return dearBlock(result);
        if (method !== "eth_feeHistory") return result;
        return { baseFeePerGas: Array.from({ length: 21 }, () => numberToHex(PRICE)), reward: [] };
      };
      const isToken = worth === undefined;
      const error = await rejected(pay({ ...change, ...(isToken ? { originCurrency: origin.contracts.dollar } : {}) }));
      const { maximumGasCost, ...facts } = factsOf(error);
      expect(facts).to.include({ code: "GAS_COST_TOO_HIGH", chainId: origin.id });
      // 50 dollars is far less than the value of one ether.
      expect(BigInt(maximumGasCost as string) <= (worth ?? parseEther("0.1"))).to.equal(true);
      expect(await countSent()).to.equal(before);
    });
  }

  it("about the token's code does not get a transaction signed, and the error names the token", async () => {
    const before = await countSent();
    node.lie = (method, result) => (method === "eth_call" ? "0x" : result);
    const token = origin.contracts.dollar;
    const error = await rejected(pay({ originCurrency: token, amount: "50000000" }));
    expect(factsOf(error)).to.deep.equal({ code: "CHAIN_ERROR", chainId: origin.id });
    expect(error.message).to.contain(token);
    expect(await countSent()).to.equal(before);
  });

  it("about nothing does not prevent the payment", async () => {
    expect((await pay()).status.status).to.equal("success");
    expect((await pay({ originCurrency: origin.contracts.dollar, amount: "50000000" })).status.status).to.equal(
      "success",
    );
  });
});
