import { type Client, Eip1559FeesNotSupportedError, hexToBigInt, numberToHex, parseUnits } from "viem";
import { estimateFeesPerGas, getGasPrice } from "viem/actions";

import { mulDiv } from "@crosscall/protocol/encoding";
import { isNativeCurrency } from "@crosscall/protocol/common";
import { type PlannedTransaction, quotedInput } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import { isPresent } from "@crosscall/protocol/schema";
import type { QuoteLimits } from "../verify/terms.ts";
import { kitErrorIn, throwOwn } from "./node.ts";
import { GasCostError } from "./executionErrors.ts";
import type { GasFees } from "./wallets.ts";

/** Maximum ratio of the quote's fee to the node's. */
const FEE_BOUND = 2n;

/** Assumed gas of a transaction that cannot be estimated before an earlier step. */
const GAS_WITHOUT_ESTIMATE = 500_000n;

const GWEI = 10n ** 9n;

/** Maximum ratio of the gas price to the median. A base fee rises tenfold in twenty full blocks. */
const PRICE_BOUND = 10n;

/** Chains with a base fee near zero have no typical price to compare with. */
const PRICE_FLOOR = 20n * GWEI;

/** Maximum gas price if the median or the payment's value is unknown. */
const PRICE_CEILING = 10_000n * GWEI;

/** 0.005 of the native currency. Lower costs are never rejected, because a payment can be tiny. */
const COST_FLOOR = 5_000_000n * GWEI;

const HISTORY_BLOCKS = 20;

/** The caller's gas limits, which replace the defaults. */
export type GasLimits = Pick<QuoteLimits, "maximumGasPrice" | "maximumGasCost">;

/** Returns a quote's limits on a chain: the caller's, or the payment's value. */
export function gasLimitsOf(quote: Quote, chainId: number, limits: GasLimits = {}): GasLimits {
  const worth = limits.maximumGasCost ?? worthInNative(quote, chainId);
  if (worth === undefined) return limits;
  return { ...limits, maximumGasCost: limits.maximumGasCost ?? higher(worth, COST_FLOOR) };
}

export interface GasOffer {
  readonly chainId: number;
  /** Highest gas price, in wei. */
  readonly gasPrice: bigint;
  /** Median of the latest blocks; undefined if the node has no fee history. */
  readonly usualGasPrice?: bigint | undefined;
  /** Cost of all steps; 0 if only the price is checked. */
  readonly gasCost: bigint;
  readonly limits: GasLimits;
}

/** @throws {@link GasCostError} when the price or the cost exceeds its limit */
export function requireAffordableGas({ chainId, gasPrice, usualGasPrice, gasCost, limits }: GasOffer): void {
  const maximumGasPrice = limits.maximumGasPrice ?? highestPrice(usualGasPrice, limits);
  if (gasPrice > maximumGasPrice) {
    throw new GasCostError({ chainId, limit: "gasPrice", found: gasPrice, maximum: maximumGasPrice });
  }
  const { maximumGasCost } = limits;
  if (maximumGasCost !== undefined && gasCost > maximumGasCost) {
    throw new GasCostError({ chainId, limit: "gasCost", found: gasCost, maximum: maximumGasCost });
  }
}

function highestPrice(usual: bigint | undefined, { maximumGasCost }: GasLimits): bigint {
  if (usual === undefined) return PRICE_CEILING;
  const bound = higher(usual * PRICE_BOUND, PRICE_FLOOR);
  // A node that reports a false price can also report a false history.
  return maximumGasCost === undefined && bound > PRICE_CEILING ? PRICE_CEILING : bound;
}

/**
 * Returns the node's fees, or the quote's fees if they are higher within bounds.
 * @throws {@link GasCostError} when the fees exceed the limit
 */
export async function chooseFees(
  client: Client,
  planned: PlannedTransaction,
  limits: GasLimits = {},
): Promise<GasFees> {
  const [fees, usualGasPrice] = await Promise.all([readFees(client, planned), readUsualPrice(client)]);
  requireAffordableGas({ chainId: planned.chainId, gasPrice: highestFee(fees), usualGasPrice, gasCost: 0n, limits });
  return fees;
}

async function readFees(client: Client, planned: PlannedTransaction): Promise<GasFees> {
  try {
    const present = await estimateFeesPerGas(client, { chain: client.chain, type: "eip1559" });
    return {
      maxFeePerGas: atMostTwice(planned.maxFeePerGas, present.maxFeePerGas),
      maxPriorityFeePerGas: atMostTwice(planned.maxPriorityFeePerGas, present.maxPriorityFeePerGas),
    };
  } catch (error) {
    if (!(error instanceof Eip1559FeesNotSupportedError)) throw kitErrorIn(error) ?? error;
    return { gasPrice: await getGasPrice(client) };
  }
}

/**
 * Returns the median of base fee and priority fee in the latest blocks. Returns undefined if the node has no fee
 * history.
 */
async function readUsualPrice(client: Client): Promise<bigint | undefined> {
  try {
    const history: unknown = await client.request({
      method: "eth_feeHistory",
      params: [`0x${HISTORY_BLOCKS.toString(16)}`, "latest", [50]],
    });
    const { baseFeePerGas, reward } = history as { baseFeePerGas?: unknown[]; reward?: unknown[][] | null };
    const baseFee = median((baseFeePerGas ?? []).map(toWei));
    // Empty blocks have a reward of zero.
    const priorityFee = median((reward ?? []).map(([fee]) => toWei(fee)).filter((fee) => fee > 0n));
    return baseFee === undefined ? undefined : baseFee + (priorityFee ?? 0n);
  } catch (error) {
    throwOwn(error);
    return undefined;
  }
}

function toWei(fee: unknown): bigint {
  return BigInt(fee as string);
}

function median(values: readonly bigint[]): bigint | undefined {
  return values.toSorted((a, b) => (a < b ? -1 : 1))[Math.floor(values.length / 2)];
}

/**
 * Returns the payment's value in wei of a chain's native currency. Returns undefined if the quote does not state it.
 */
function worthInNative(quote: Quote, chainId: number): bigint | undefined {
  const { currencyIn } = quote.details ?? {};
  if (!isPresent(currencyIn?.amount)) return undefined;
  if (currencyIn.currency?.chainId === chainId && isNativeCurrency(currencyIn.currency) === true) {
    return quotedInput(quote);
  }
  const { gas } = quote.fees ?? {};
  if (gas?.currency?.chainId !== chainId || isNativeCurrency(gas.currency) !== true) return undefined;
  const [paidUsd, gasUsd, gasWei] = [
    readDecimal(currencyIn.amountUsd),
    readDecimal(gas.amountUsd),
    readDecimal(gas.amount),
  ];
  if (paidUsd === 0n || gasUsd === 0n || gasWei === 0n) return undefined;
  return mulDiv(paidUsd, gasWei, gasUsd) / 10n ** USD_DIGITS;
}

const USD_DIGITS = 18n;

/** Returns zero if the text is not a decimal number. */
function readDecimal(text: string | null | undefined): bigint {
  return isPresent(text) && /^\d+(?:\.\d+)?$/u.test(text) ? parseUnits(text, Number(USD_DIGITS)) : 0n;
}

/** In wei. */
export function highestFee(fees: GasFees): bigint {
  return "gasPrice" in fees ? fees.gasPrice : fees.maxFeePerGas;
}

/**
 * Returns the higher of the estimate and the quote's limit. If the quote has no limit, returns the estimate plus a
 * quarter, because a swap can need more gas in a later block.
 */
export async function chooseGas(client: Client, planned: PlannedTransaction): Promise<bigint> {
  const { from, to, data, value, gas } = planned;
  // viem's action would also load its code to prepare transactions.
  const call = { from, to, data, value: numberToHex(value) };
  const estimate = hexToBigInt(await client.request({ method: "eth_estimateGas", params: [call] }));
  if (gas === undefined) return (estimate * 5n) / 4n;
  return higher(estimate, gas);
}

/** Estimates gas, even for a transaction that depends on an earlier transaction. */
export async function foreseeGas(client: Client, planned: PlannedTransaction): Promise<bigint> {
  if (planned.gas !== undefined) return planned.gas;
  try {
    return await chooseGas(client, planned);
  } catch (error) {
    throwOwn(error);
    return GAS_WITHOUT_ESTIMATE;
  }
}

function atMostTwice(quoted: bigint | undefined, present: bigint): bigint {
  if (quoted === undefined || quoted <= present) return present;
  return quoted < present * FEE_BOUND ? quoted : present * FEE_BOUND;
}

function higher(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
