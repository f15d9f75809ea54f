import { convertViemChainToRelayChain, createClient, type Execute } from "@relayprotocol/relay-sdk";
import { expect } from "chai";
import { type Address, parseEther, zeroAddress } from "viem";

import { describeChain } from "../../src/localnet/chains/chainClient.ts";
import { type Localnet, type LocalnetChain, localnet } from "../../src/localnet/index.ts";
import { dollarsOf, mintDollars, reader, userWallet } from "./support/parties.ts";

// A client that others wrote, unchanged, with nothing configured but the base URL and the chains.
describe("the service's published SDK against a local network", () => {
  let network: Localnet;
  let origin: LocalnetChain;
  let destination: LocalnetChain;

  before(async () => {
    network = await localnet();
    [origin, destination] = network.chains;
  });
  after(() => network.close());

  const sdk = () =>
    createClient({
      baseApiUrl: network.url,
      chains: network.chains.map(({ id, rpcUrl }) => convertViemChainToRelayChain(describeChain(id, rpcUrl))),
      pollingInterval: 50,
    });

  async function execute(currency: Address, toCurrency: Address, amount: bigint): Promise<Execute> {
    const { actions } = sdk();
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

  it("quotes and executes from the native currency, and the fill lands", async () => {
    const user = network.accounts.user.address;
    const before = await dollarsOf(destination, user);
    const quote = await execute(zeroAddress, destination.contracts.dollar, parseEther("1"));
    const arrived = (await dollarsOf(destination, user)) - before;
    expect(arrived).to.equal(BigInt(quote.details?.currencyOut?.amount ?? 0));
  });

  it("quotes and executes from a token: approval, deposit, and the fill lands", async () => {
    const user = network.accounts.user.address;
    await mintDollars(network, origin, 5_000_000_000n);
    const before = await reader(destination).getBalance({ address: user });
    const quote = await execute(origin.contracts.dollar, zeroAddress, 5_000_000_000n);
    const arrived = (await reader(destination).getBalance({ address: user })) - before;
    expect(arrived).to.equal(BigInt(quote.details?.currencyOut?.amount ?? 0));
    expect(await dollarsOf(origin, user)).to.equal(0n);
  });

  it("reads a refusal as the service words it", async () => {
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
