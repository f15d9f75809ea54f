import { expect } from "chai";
import { zeroAddress } from "viem";

import { createServiceClient } from "../../packages/sdk/src/index.ts";
import type { Amount, QuoteRoute } from "../../packages/protocol/src/complete.ts";
import { formatFeeTable, quoteFeeTable } from "../../packages/protocol/src/index.ts";
import { getQuote } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { mintDollars } from "./support/parties.ts";
import { etherRequest, depositAndWatch, requestIdOf } from "./support/requests.ts";
import { recordOf } from "./support/serviceCalls.ts";
import { quoteShapes } from "./verify/quoteShapes.ts";

describe("the fees of a quote from the local service", () => {
  const network = useNetwork({ sponsoringApiKeys: ["crosscall-local"] });

  before(() => mintDollars(network, network.chains[0], 1_000_000_000n));

  const quotes = async () => {
    const client = createServiceClient({
      baseUrl: network.url,
      apiKey: network.apiKey,
      quoteVersion: 2,
      limits: false,
    });
    const shapes = Object.entries(quoteShapes(network));
    return Promise.all(shapes.map(async ([shape, request]) => [shape, await getQuote(client, request)] as const));
  };

  it("add up exactly for every kind of request", async () => {
    for (const [shape, quote] of await quotes()) {
      const table = quoteFeeTable(quote);
      expect(table.mismatches, shape).to.deep.equal([]);
      expect(formatFeeTable(table), shape).to.not.include("differs");
      const { relayer, relayerGas, relayerService } = quote.fees;
      const sum = BigInt(relayerGas.amount) + BigInt(relayerService.amount);
      expect(BigInt(relayer.amount), shape).to.equal(sum);
      const { execution, swap } = quote.details.expandedPriceImpact;
      expect(`-${relayerGas.amountUsd}`.replace(/^-(?=0\.0+$)/u, ""), shape).to.equal(execution.usd);
      expect(quote.details.swapImpact.usd, shape).to.equal(swap.usd);
    }
  });

  it("have a minimum, like every amount in the details", async () => {
    for (const [shape, { fees, details }] of await quotes()) {
      const amounts: Amount[] = [
        ...Object.values(fees),
        details.currencyIn,
        details.currencyOut,
        ...(details.refundCurrency === undefined ? [] : [details.refundCurrency]),
        ...sidesOf(details.route),
      ];
      for (const { amount, minimumAmount } of amounts) {
        expect(BigInt(minimumAmount ?? expect.fail(`${shape} has no minimumAmount`)) <= BigInt(amount), shape).to.equal(
          true,
        );
      }
    }
  });

  function sidesOf({ origin, destination }: QuoteRoute): Amount[] {
    return [origin, destination].flatMap((side) => (side == null ? [] : [side.inputCurrency, side.outputCurrency]));
  }
});

describe("the rebalancing fee of the local service", () => {
  const network = useNetwork({ rebalancingBps: 20 });

  it("is part of the swap fee in cross-chain requests, both quoted and paid", async () => {
    const [origin, destination] = network.chains;
    const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2 });
    const request = {
      ...etherRequest(network),
      destinationCurrency: zeroAddress,
    } as const;
    const bridge = await getQuote(client, request);
    // The fee is 20 bps of 2,500 dollars for a bridge without a swap.
    expect(bridge.details.expandedPriceImpact.swap.usd).to.equal("-5.000000");
    expect(quoteFeeTable(bridge).mismatches).to.deep.equal([]);
    await depositAndWatch(network, bridge);
    const { data } = await recordOf(network, requestIdOf(bridge));
    expect([data.fees?.quoted.swap.usd, data.fees?.actual?.swap.usd]).to.deep.equal(["-5.000000", "-5.000000"]);

    const swapped = await getQuote(client, { ...request, destinationCurrency: destination.contracts.token });
    expect(Number(swapped.details.expandedPriceImpact.swap.usd)).to.be.lessThan(-5 - 7);
    expect(quoteFeeTable(swapped).mismatches).to.deep.equal([]);

    const oneChain = { ...request, destinationChainId: origin.id, destinationCurrency: origin.contracts.wrappedNative };
    const wrap = await getQuote(client, oneChain);
    expect(wrap.details.expandedPriceImpact.swap.usd).to.equal("0.000000");
  });
});
