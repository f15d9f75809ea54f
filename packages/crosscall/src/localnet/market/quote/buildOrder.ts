import type { Address, Hex } from "viem";

import { encodeFillContract, encodeOrderCall, type Order } from "@crosscall/protocol/order";
import { usdValue } from "../currencies.ts";
import { isSimulated, routerOf } from "../quotedChains.ts";
import { inputsOf } from "./inputsOf.ts";
import type { Price } from "./priceQuote.ts";
import type { QuotedInput, ResolvedQuote } from "./resolveQuote.ts";

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
  const inputs = inputsOf(quote, price);
  const { origin, destination, output, txs } = quote;
  const weights = weightsOf(inputs);
  const destinationRouter = routerOf(destination);
  // The solver's address is on EVM chains.
  const solverChain = isSimulated(origin) ? destination : origin;
  return {
    version: "v1",
    solverChainId: solverChain.protocolChainId,
    solver,
    salt,
    inputs: inputs.map(({ origin: chain, input: { currency }, refundTo, amount }, index) => ({
      payment: {
        chainId: chain.protocolChainId,
        currency: currency.address,
        amount: amount.toString(),
        weight: (weights[index] ?? 1n).toString(),
      },
      refunds: [
        {
          chainId: chain.protocolChainId,
          recipient: refundTo,
          currency: currency.address,
          minimumAmount: "0",
          deadline,
          extraData: extraDataOf(routerOf(chain)),
        },
      ],
    })),
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

/**
 * Returns the relative values of one smallest unit of each input. The oracle adds up the inputs by these weights. Inputs
 * of the same value have the weight 1.
 */
function weightsOf(inputs: readonly QuotedInput[]): bigint[] {
  const values = inputs.map(({ input }) => usdValue(WEIGHED_UNITS, input));
  const divisor = values.reduce(greatestDivisor, 0n);
  return values.map((value) => (divisor === 0n ? 1n : value / divisor));
}

/** Number of smallest units, so that the value of a cheap currency with many decimals is not rounded to zero. */
const WEIGHED_UNITS = 10n ** 36n;

function greatestDivisor(one: bigint, other: bigint): bigint {
  return other === 0n ? one : greatestDivisor(other, one % other);
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
