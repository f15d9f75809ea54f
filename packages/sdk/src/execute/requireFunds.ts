import {
  type Abi,
  type Address,
  type Client,
  decodeFunctionData,
  type DecodeFunctionDataReturnType,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  isHex,
  size,
  slice,
} from "viem";

import {
  call,
  DEPOSIT_ABI,
  EVM_NATIVE_CURRENCY,
  getBalance,
  isSameAddress,
  parseServiceAddress,
} from "@crosscall/protocol/chains";
import { ChainError, throwIfAborted } from "@crosscall/protocol/core";
import { type Currency, isNativeCurrency } from "@crosscall/protocol/common";
import { originChainIdOf, type PlannedTransaction, planSteps, quotedInput } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import { isPresent } from "@crosscall/protocol/schema";
import { askNode, throwOwn } from "./node.ts";
import { AllowanceResetError, InsufficientAllowanceError, InsufficientBalanceError } from "./executionErrors.ts";
import { chooseFees, foreseeGas, type GasLimits, gasLimitsOf, highestFee, requireAffordableGas } from "./gas.ts";
import { hasOwnCode } from "./walletResponses.ts";
import type { StepWallet } from "./wallets.ts";

export interface RequireFundsContext {
  readonly quote: Quote;
  readonly hasApproval: boolean;
  /** Whether the account itself pays the gas. */
  readonly paysGas: boolean;
  readonly gasLimits?: GasLimits | undefined;
}

/**
 * Requires native currency for value and gas, a balance of the input token, an allowance unless a step approves it, and
 * that the token accepts the approval.
 *
 * @throws {@link InsufficientBalanceError} when the account's balance is too low
 * @throws {@link InsufficientAllowanceError} when the deposit's allowance is too low, and no step approves it
 * @throws {@link AllowanceResetError} when the token rejects the approval because of an earlier allowance
 * @throws {@link GasCostError} when the gas cost exceeds the limits
 * @throws {@link ChainError} when the node or the token does not respond as expected
 */
export async function requireFunds(
  wallet: StepWallet,
  chainId: number,
  transactions: readonly PlannedTransaction[],
  { quote, hasApproval, paysGas, gasLimits }: RequireFundsContext,
): Promise<void> {
  await requireNative(wallet, chainId, transactions, { quote, paysGas, gasLimits });
  // Transactions on other chains do not pay the input.
  const paysInput = transactions.find(({ stepId }) => stepId !== "approve");
  const token = inputToken(quote, chainId);
  if (token !== undefined && paysInput !== undefined) {
    const isAllowanceDue = !hasApproval && takesByAllowance(paysInput, token.address);
    await requireToken(wallet, token, quotedInput(quote), isAllowanceDue ? paysInput : undefined);
  }
  await requireApprovable(wallet, chainId, transactions, token);
}

export interface RequireReadyToPayOptions {
  /** Whether the account itself pays the gas. Defaults to true. */
  readonly paysGas?: boolean;
  readonly gasLimits?: GasLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads balance and allowance again just before a payment, after its approval, because the user may have approved less
 * in the wallet, or spent the balance.
 * @param planned the payment
 * @throws the errors of {@link requireFunds}
 */
export async function requireReadyToPay(
  wallet: StepWallet,
  planned: PlannedTransaction,
  quote: Quote,
  { paysGas = true, gasLimits, signal }: RequireReadyToPayOptions = {},
): Promise<void> {
  throwIfAborted(signal, `step ${planned.stepId}`);
  const { chainId } = planned;
  const token = inputToken(quote, chainId);
  if (token !== undefined) {
    const isAllowanceDue = takesByAllowance(planned, token.address) || isApproved(quote, planned, token.address);
    await requireToken(wallet, token, quotedInput(quote), isAllowanceDue ? planned : undefined);
  }
  await requireNative(wallet, chainId, [planned], { quote, paysGas, gasLimits });
}

type Token = Currency & { readonly address: Address; readonly chainId: number };

/**
 * Returns undefined if the input is native, on another chain, or not stated. The payment itself then fails before
 * sending.
 */
function inputToken(quote: Quote, chainId: number): Token | undefined {
  const { currency } = quote.details?.currencyIn ?? {};
  if (!isPresent(currency?.address) || currency.chainId !== chainId) return undefined;
  if (isNativeCurrency(currency) === true) return undefined;
  return {
    ...currency,
    chainId,
    address: parseServiceAddress(currency.address, "details.currencyIn.currency.address"),
  };
}

async function requireNative(
  { client, address }: StepWallet,
  chainId: number,
  transactions: readonly PlannedTransaction[],
  { quote, paysGas, gasLimits }: Omit<RequireFundsContext, "hasApproval">,
): Promise<void> {
  const limits = gasLimitsOf(quote, chainId, gasLimits);
  const [found, ...offers] = await askNode(chainId, "balances and fees", () =>
    Promise.all([
      getBalance(client, { address }),
      ...(paysGas ? transactions : []).map(async (transaction) => {
        const [gas, fees] = await Promise.all([
          foreseeGas(client, transaction),
          chooseFees(client, transaction, limits),
        ]);
        return { gasPrice: highestFee(fees), cost: gas * highestFee(fees) };
      }),
    ]),
  );
  const gasCost = offers.reduce((sum, { cost }) => sum + cost, 0n);
  // The gas price of each transaction was already compared with the median.
  requireAffordableGas({ chainId, gasPrice: 0n, gasCost, limits });
  const paid = transactions.reduce((sum, { value }) => sum + value, 0n);
  const needed = paid + gasCost;
  // The owner, a bundler or a paymaster pays the gas of a contract account.
  if (found >= needed || (found >= paid && (await hasOwnCode(client, address)))) return;
  const currency = { symbol: "of the native currency", ...nativeOf(quote, chainId), address: EVM_NATIVE_CURRENCY };
  throw new InsufficientBalanceError({ chainId, account: address, currency, needed, found });
}

/** Returns the chain's native currency, as named by the quote's input or gas fee. */
function nativeOf({ details, fees }: Quote, chainId: number): Currency {
  const named = [details?.currencyIn?.currency, fees?.gas?.currency].filter(isPresent);
  const native = named.find((currency) => currency.chainId === chainId && isNativeCurrency(currency) === true);
  return { decimals: 18, ...native };
}

/** Requires a balance, and an allowance for the contract called by the payment. */
async function requireToken(
  { client, address: account }: StepWallet,
  currency: Token,
  needed: bigint,
  payment: PlannedTransaction | undefined,
): Promise<void> {
  const { chainId, address } = currency;
  const balance = await readToken(client, chainId, address, "balanceOf", [account]);
  if (balance < needed) throw new InsufficientBalanceError({ chainId, account, currency, needed, found: balance });
  if (payment === undefined) return;
  const { to: spender } = payment;
  const found = await readToken(client, chainId, address, "allowance", [account, spender]);
  if (found < needed) throw new InsufficientAllowanceError({ chainId, account, currency, spender, needed, found });
}

/**
 * Requires that the token accepts the approval. Tokens such as USDT reject a change of a non-zero allowance, which must
 * first be reset to zero.
 */
async function requireApprovable(
  { client, address: account }: StepWallet,
  chainId: number,
  transactions: readonly PlannedTransaction[],
  input: Token | undefined,
): Promise<void> {
  const seen = new Set<string>();
  for (const { to: token, data } of transactions) {
    const approval = readApproval(data);
    if (approval === undefined) continue;
    const { spender, amount: needed } = approval;
    const key = `${token} ${spender}`.toLowerCase();
    if (seen.has(key)) continue;
    seen.add(key);
    if (needed === 0n) continue;
    const found = await readToken(client, chainId, token, "allowance", [account, spender]);
    if (found === 0n) continue;
    if (await accepts(client, account, token, data)) continue;
    const reset = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, 0n] });
    // Gas estimation of the approval reports other reasons.
    if (!(await accepts(client, account, token, reset))) continue;
    const isInput = input !== undefined && isSameAddress(token, input.address);
    const currency = { ...(isInput ? input : {}), address: token };
    throw new AllowanceResetError({ chainId, account, currency, spender, needed, found });
  }
}

/** Whether a token accepts an approval. Old tokens return nothing. */
async function accepts(client: Client, from: Address, to: Address, data: Hex): Promise<boolean> {
  try {
    const answer: unknown = await client.request({ method: "eth_call", params: [{ from, to, data }, "latest"] });
    return !isHex(answer) || size(answer) < 32 || hexToBigInt(slice(answer, 0, 32)) !== 0n;
  } catch (error) {
    throwOwn(error);
    return false;
  }
}

async function readToken(
  client: Client,
  chainId: number,
  token: Address,
  functionName: "balanceOf" | "allowance",
  args: readonly [Address] | readonly [Address, Address],
): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName, args });
  const answer: unknown = await askNode(chainId, `${functionName} of token ${token}`, () => call(client, token, data));
  if (isHex(answer) && size(answer) >= 32) return hexToBigInt(slice(answer, 0, 32));
  throw new ChainError({
    message: `token ${token} on chain ${chainId} returned nothing for ${functionName}: the wallet's node does not know this contract`,
    hint: "Check that the node serves this chain, and that the token exists there.",
    chainId,
  });
}

/** Whether a step of the quote approves the token for the contract that the payment calls. */
function isApproved(quote: Quote, { chainId, to }: PlannedTransaction, token: Address): boolean {
  return planSteps(quote.steps, originChainIdOf(quote)).some((step) => {
    if (step.kind !== "transaction" || step.chainId !== chainId || !isSameAddress(step.to, token)) return false;
    const approval = readApproval(step.data);
    return approval !== undefined && approval.amount > 0n && isSameAddress(approval.spender, to);
  });
}

export function readApproval(data: Hex): { readonly spender: Address; readonly amount: bigint } | undefined {
  const approval = readCall(erc20Abi, data);
  return approval?.functionName === "approve" ? { spender: approval.args[0], amount: approval.args[1] } : undefined;
}

/** Whether the payment takes the token by allowance, unlike a plain transfer. */
function takesByAllowance({ data }: PlannedTransaction, token: Address): boolean {
  const deposit = readCall(DEPOSIT_ABI, data);
  return deposit !== undefined && isSameAddress(deposit.args[1], token);
}

/** Returns undefined if the transaction calls another function. */
export function readCall<const abi extends Abi>(abi: abi, data: Hex): DecodeFunctionDataReturnType<abi> | undefined {
  try {
    return decodeFunctionData({ abi, data });
  } catch {
    return undefined;
  }
}
