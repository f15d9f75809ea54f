import { expect } from "chai";

import { OrderSchema } from "../../../../../../packages/protocol/src/order/order.ts";
import { decodeOrderCall } from "../../../../../../packages/protocol/src/order/orderCalls.ts";
import { parseData } from "../../../../../../packages/protocol/src/schema/parse.ts";
import {
  buildOrder,
  type OrderParameters,
} from "../../../../../../packages/crosscall/src/localnet/market/quote/buildOrder.ts";
import { account, destination, origin, price, quote, RECIPIENT, REFUND_TO, SOLVER, word } from "../fixtures.ts";

const DEADLINE = 1_790_000_000;
const parameters: OrderParameters = {
  quote,
  price,
  solver: SOLVER,
  salt: word("5"),
  deadline: DEADLINE,
};
const calls = [
  { to: account("c"), data: "0x01", value: "60" },
  { to: account("d"), data: "0x", value: "0" },
];
const padded = (address: string): string => `0x${"00".repeat(12)}${address.slice(2).toLowerCase()}`;

describe("buildOrder", () => {
  it("pays the recipient if there are no calls, and refunds on the origin chain", () => {
    const order = buildOrder(parameters);
    expect(order).to.deep.equal({
      version: "v1",
      solverChainId: "local-31337",
      solver: SOLVER,
      salt: word("5"),
      inputs: [
        {
          payment: {
            chainId: "local-31337",
            currency: quote.input.currency.address,
            amount: "5000000",
            weight: "1",
          },
          refunds: [
            {
              chainId: "local-31337",
              recipient: REFUND_TO,
              currency: quote.input.currency.address,
              minimumAmount: "0",
              deadline: DEADLINE,
              extraData: padded(origin.contracts.router),
            },
          ],
        },
      ],
      output: {
        chainId: "local-31338",
        payments: [
          {
            recipient: RECIPIENT,
            currency: quote.output.currency.address,
            minimumAmount: "4802000",
            expectedAmount: "4900000",
          },
        ],
        calls: [],
        deadline: DEADLINE,
        extraData: padded(destination.contracts.router),
      },
      fees: [],
    });
    expect(parseData(OrderSchema, order, "the order")).to.equal(order);
  });

  it("pays the router if there are calls, and includes them in order", () => {
    const { output } = buildOrder({ ...parameters, quote: { ...quote, txs: calls } });
    expect(output.payments.map(({ recipient }) => recipient)).to.deep.equal([destination.contracts.router]);
    expect(output.calls.map(decodeOrderCall)).to.deep.equal(calls);
  });
});
