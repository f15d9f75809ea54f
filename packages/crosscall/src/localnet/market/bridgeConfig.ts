import type { Address } from "viem";

import { chainFamilyOf } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { sumFees } from "@crosscall/protocol/fees";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { readBalance } from "../devchain/readChain.ts";
import { amountWorth, currencyIdOf, type PricedCurrency, usdValue } from "./currencies.ts";
import type { ChainReader, DatabaseUser, LedgerUser, Payer, Pricer, Rebalancer } from "./market.ts";
import { priceDetails } from "./quote/prepareQuote.ts";
import { resolveQuote } from "./quote/resolveQuote.ts";
import { findRestriction, readRestrictions } from "./quote/restrictions.ts";
import { holdingsOf, isSimulated, type QuotedChain } from "./quotedChains.ts";
import { RejectionError, rejectField } from "./rejection.ts";

export interface BridgeRoute {
  readonly origin: QuotedChain;
  readonly destination: QuotedChain;
  readonly output: PricedCurrency;
  readonly user: string | undefined;
}

/** Amounts that can be bridged, in the smallest unit of the currency. */
export interface BridgeConfig {
  readonly isEnabled: boolean;
  readonly userBalance: bigint;
  readonly maxBridgeAmount: bigint;
  readonly fee: bigint;
  readonly solverBalance: bigint;
}

type ConfigMarket = Pricer & ChainReader & Payer & DatabaseUser & LedgerUser & Rebalancer;

/**
 * Returns the amounts of a currency that the solver and the user can bridge immediately. They are zero to a simulated
 * chain, where the solver holds nothing.
 *
 * @throws {@link RejectionError} if the user is not an account of the origin chain
 */
export async function readBridgeConfig(market: ConfigMarket, route: BridgeRoute): Promise<BridgeConfig> {
  const { origin, destination, output, user } = route;
  const input = market.currencies
    .ofChain(origin.id)
    .find(({ currency }) => currencyIdOf(currency) === currencyIdOf(output.currency));
  const [solverBalance, userBalance] = await Promise.all([
    readSolverBalance(market, destination, output),
    input === undefined ? 0n : readUserBalance(origin, input, user),
  ]);
  const fee = input === undefined || solverBalance === 0n ? undefined : await findFee(market, route, input);
  const capacity = input === undefined ? 0n : amountWorth(usdValue(solverBalance, output), input);
  return {
    isEnabled: fee !== undefined,
    userBalance,
    maxBridgeAmount: userBalance < capacity ? userBalance : capacity,
    fee: fee ?? 0n,
    solverBalance,
  };
}

/** Reads the solver's balance. Returns zero for a currency for which the solver would have to swap. */
async function readSolverBalance(
  { currencies, solver }: ConfigMarket,
  destination: QuotedChain,
  output: PricedCurrency,
): Promise<bigint> {
  if (isSimulated(destination) || !holdingsOf(currencies, destination).includes(output)) return 0n;
  return readBalance(destination, output.currency.address, solver.address);
}

async function readUserBalance(origin: QuotedChain, input: PricedCurrency, user: string | undefined): Promise<bigint> {
  if (user === undefined) return 0n;
  const account = parseUser(origin, user);
  return isSimulated(origin) ? 0n : readBalance(origin, input.currency.address, account);
}

function parseUser(origin: QuotedChain, user: string): Address {
  const family = chainFamilyOf(origin.id, isSimulated(origin) ? [] : [{ id: origin.id, vmType: "evm" }]);
  try {
    return family.parseAccount(user, "user") as Address;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw rejectField("user", user, error.reason, error.hint);
  }
}

/**
 * Returns the fee of bridging one whole unit. The fee barely depends on the amount.
 *
 * @returns undefined if the service currently does not bridge the currency
 */
async function findFee(market: ConfigMarket, route: BridgeRoute, input: PricedCurrency): Promise<bigint | undefined> {
  const { origin, destination, output } = route;
  const request: QuoteRequest = {
    user: isSimulated(origin) ? origin.solver : market.solver.address,
    recipient: market.solver.address,
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: input.currency.address,
    destinationCurrency: output.currency.address,
    tradeType: "EXACT_OUTPUT",
    amount: (10n ** BigInt(output.currency.decimals)).toString(),
  };
  if (findRestriction(await readRestrictions(market), request) !== undefined) return undefined;
  try {
    const { route: priced } = await priceDetails(market, resolveQuote(market, request));
    return amountWorth(sumFees(priced.price.fees), input);
  } catch (error) {
    if (error instanceof RejectionError) return undefined;
    throw error;
  }
}
