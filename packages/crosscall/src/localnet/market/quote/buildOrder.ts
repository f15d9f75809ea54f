import type { Address, Hex } from "viem";

import { encodeFillContract, encodeOrderCall, type Order } from "@crosscall/protocol/order";
import { isSimulated, routerOf } from "../quotedChains.ts";
import type { Price } from "./priceQuote.ts";
import type { ResolvedQuote } from "./resolveQuote.ts";

export interface OrderParameters {
  readonly quote: ResolvedQuote;
  readonly price: Price;
  readonly solver: string;
  readonly salt: Hex;
  /** Unix seconds. */
  readonly deadline: number;
}

/** Builds an order that is refundable on the origin chain. An order with calls pays the router (spec 4, section 2). */
export function buildOrder(parameters: OrderParameters): Order {
  const { quote, price, solver, salt, deadline } = parameters;
  const { origin, destination, input, output, txs } = quote;
  const destinationRouter = routerOf(destination);
  // The solver's address is on EVM chains.
  const solverChain = isSimulated(origin) ? destination : origin;
  return {
    version: "v1",
    solverChainId: solverChain.protocolChainId,
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
            extraData: extraDataOf(routerOf(origin)),
          },
        ],
      },
    ],
    output: {
      chainId: destination.protocolChainId,
      payments: [
        {
          recipient: txs.length > 0 && destinationRouter !== undefined ? destinationRouter : quote.recipient,
          currency: output.currency.address,
          minimumAmount: price.minimumOutput.toString(),
          expectedAmount: price.expectedOutput.toString(),
        },
        ...topupPayments(quote, price),
      ],
      calls: txs.map(encodeOrderCall),
      deadline,
      extraData: extraDataOf(destinationRouter),
    },
    fees: [],
  };
}

/** Returns the payments of the gas top-up. They go to the recipient even if there are calls. */
function topupPayments(
  { recipient, destinationNative }: Pick<ResolvedQuote, "recipient" | "destinationNative">,
  { gasTopup }: Price,
): Order["output"]["payments"] {
  if (gasTopup === undefined) return [];
  const amount = gasTopup.toString();
  const currency = destinationNative.currency.address;
  return [{ recipient, currency, minimumAmount: amount, expectedAmount: amount }];
}

/** Encodes the contract that fills or refunds; empty on chains without a router. */
function extraDataOf(router: Address | undefined): Hex {
  return router === undefined ? "0x" : encodeFillContract(router);
}
