import type { Hex } from "viem";

import type { Order } from "../../../protocol/order.ts";
import { encodeFillContract, encodeOrderCall } from "../../../protocol/orderCalls.ts";
import type { Price } from "./priceQuote.ts";
import type { ResolvedQuote } from "./resolveQuote.ts";

/** What an order needs beside the resolved quote. */
export interface OrderParameters {
  readonly quote: ResolvedQuote;
  readonly price: Price;
  readonly solver: string;
  readonly salt: Hex;
  /** Unix seconds. */
  readonly deadline: number;
}

/** The order of a quote (PROTOCOL, section 2): refundable on the origin chain, paid to the router where it has calls. */
export function buildOrder({ quote, price, solver, salt, deadline }: OrderParameters): Order {
  const { origin, destination, input, output, txs } = quote;
  return {
    version: "v1",
    solverChainId: origin.protocolChainId,
    solver,
    salt,
    inputs: [
      {
        payment: {
          chainId: origin.protocolChainId,
          currency: input.currency.address,
          amount: price.inputAmount.toString(),
          weight: "1",
        },
        refunds: [
          {
            chainId: origin.protocolChainId,
            recipient: quote.refundTo,
            currency: input.currency.address,
            minimumAmount: "0",
            deadline,
            extraData: encodeFillContract(origin.contracts.router),
          },
        ],
      },
    ],
    output: {
      chainId: destination.protocolChainId,
      payments: [
        {
          recipient: txs.length > 0 ? destination.contracts.router : quote.recipient,
          currency: output.currency.address,
          minimumAmount: price.minimumOutput.toString(),
          expectedAmount: price.expectedOutput.toString(),
        },
      ],
      calls: txs.map(encodeOrderCall),
      deadline,
      extraData: encodeFillContract(destination.contracts.router),
    },
    fees: [],
  };
}
