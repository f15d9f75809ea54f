import { expect } from "chai";

import type { Quote } from "../../../../packages/protocol/src/quote/quote.ts";
import type { QuoteRequest } from "../../../../packages/protocol/src/quote/quoteRequest.ts";
import { verifyQuote } from "../../../../packages/sdk/src/verify/verifyQuote.ts";

const EXCHANGE = 3_586_256;
const REQUEST_ID = `0x${"ab".repeat(32)}`;
const USER = "0x03508bB71268BBA25ECaCC8F620e01866650532c";

/** Paths of the unmet claims of a withdrawal. */
async function unmetOf(originCurrency: string, change: object): Promise<readonly string[]> {
  const request: QuoteRequest = {
    user: "509564",
    recipient: USER,
    originChainId: EXCHANGE,
    destinationChainId: 8_453,
    originCurrency,
    destinationCurrency: "0x0000000000000000000000000000000000000000",
    tradeType: "EXACT_INPUT",
    amount: "25000000",
  };
  const parameters = {
    toAccountIndex: 731_033,
    assetIndex: 3,
    fromRouteType: 0,
    toRouteType: 0,
    amount: 25_000_000,
    usdcFee: 3_000_000,
    memo: REQUEST_ID,
    ...change,
  };
  const quote: Quote = {
    steps: [
      {
        id: "deposit",
        action: "",
        description: "",
        kind: "transaction",
        requestId: REQUEST_ID,
        items: [{ status: "incomplete", data: { action: { type: "transfer", parameters } } }],
      },
    ],
  };
  const { claims } = await verifyQuote({ request, quote });
  return claims
    .filter(({ code, isMet }) => code === "EXCHANGE_TRANSFER" && !isMet)
    .map(({ path }) => path.replace("steps[0].items[0].data.action.parameters.", ""));
}

describe("transfers on the exchange chain that are verified", () => {
  it("are of the asset of their currency: the dollar of perpetuals is asset 3", async () => {
    expect(await unmetOf("0", {})).to.deep.equal([]);
    expect(await unmetOf("3", {})).to.deep.equal([]);
    expect(await unmetOf("7", { assetIndex: 7 })).to.deep.equal([]);
    for (const [currency, assetIndex] of [
      ["0", 0],
      ["0", 7],
      ["3", 0],
      ["7", 3],
    ] as const) {
      expect(await unmetOf(currency, { assetIndex }), `${currency} ${assetIndex}`).to.deep.equal(["assetIndex"]);
    }
  });

  it("are refused with another memo, account or amount", async () => {
    expect(await unmetOf("3", { memo: `0x${"cd".repeat(32)}` })).to.deep.equal(["memo"]);
    expect(await unmetOf("3", { toAccountIndex: 1 })).to.deep.equal(["toAccountIndex"]);
    expect(await unmetOf("3", { amount: 25_000_001 })).to.deep.equal(["amount"]);
  });
});
