import { type Address, decodeFunctionData, parseAbi } from "viem";

import { getBalance, readContract } from "../../chains/readContract.ts";
import { EVM_NATIVE_CURRENCY, isSameAddress, parseServiceAddress } from "../../chains/address.ts";
import { type Currency, isNativeCurrency } from "../../protocol/common/currency.ts";
import { quotedInput } from "../../protocol/quote/minimumOutput.ts";
import type { Quote } from "../../protocol/quote/quote.ts";
import { isPresent } from "../../protocol/schema/readResponse.ts";
import { InsufficientAllowanceError, InsufficientBalanceError } from "./executionErrors.ts";
import { chooseFees, foreseeGas, highestFee } from "./gas.ts";
import type { PlannedTransaction } from "../../protocol/quote/planSteps.ts";
import type { StepWallet } from "./stepWallet.ts";

const TOKEN_ABI = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
]);

const DEPOSIT_ABI = parseAbi([
  "function depositErc20(address depositor, address token, uint256 amount, bytes32 id)",
  "function depositErc20(address depositor, address token, bytes32 id)",
]);

export interface RequireFundsContext {
  readonly quote: Quote;
  readonly hasApproval: boolean;
  /** Whether the account pays the gas itself. */
  readonly paysGas: boolean;
}

/** Requires value and gas in native currency, the input in its token, and an allowance unless a step approves it. */
export async function requireFunds(
  wallet: StepWallet,
  chainId: number,
  transactions: readonly PlannedTransaction[],
  { quote, hasApproval, paysGas }: RequireFundsContext,
): Promise<void> {
  await requireNative(wallet, chainId, transactions, { quote, paysGas });
  const { currency } = quote.details?.currencyIn ?? {};
  // Transactions on other chains do not pay the input.
  const paysInput = transactions.find(({ stepId }) => stepId !== "approve");
  // Without a stated input there is nothing to compare; the deposit itself fails before it is sent.
  if (!isPresent(currency?.address) || currency.chainId !== chainId || paysInput === undefined) return;
  if (isNativeCurrency(currency) === true) return;
  const token = { ...currency, address: parseServiceAddress(currency.address, "details.currencyIn.currency.address") };
  const needed = quotedInput(quote);
  await requireToken(wallet, chainId, token, needed);
  if (hasApproval || !takesByAllowance(paysInput, token.address)) return;
  await requireAllowance(wallet, chainId, token, paysInput.to, needed);
}

type Token = Currency & { readonly address: Address };

async function requireNative(
  { client, address }: StepWallet,
  chainId: number,
  transactions: readonly PlannedTransaction[],
  { quote, paysGas }: Omit<RequireFundsContext, "hasApproval">,
): Promise<void> {
  const [found, ...costs] = await Promise.all([
    getBalance(client, { address }),
    ...transactions.map(async (transaction) => {
      if (!paysGas) return transaction.value;
      const [gas, fees] = await Promise.all([foreseeGas(client, transaction), chooseFees(client, transaction)]);
      return transaction.value + gas * highestFee(fees);
    }),
  ]);
  const needed = costs.reduce((sum, cost) => sum + cost, 0n);
  if (found >= needed) return;
  const currency = { symbol: "of the native currency", ...nativeOf(quote, chainId), address: EVM_NATIVE_CURRENCY };
  throw new InsufficientBalanceError({ chainId, account: address, currency, needed, found });
}

/** The input may be native currency, which also pays gas. */
function nativeOf({ details, fees }: Quote, chainId: number): Currency {
  const named = [details?.currencyIn?.currency, fees?.gas?.currency].filter(isPresent);
  const native = named.find((currency) => currency.chainId === chainId && isNativeCurrency(currency) === true);
  return { decimals: 18, ...native };
}

async function requireToken(
  { client, address: account }: StepWallet,
  chainId: number,
  currency: Token,
  needed: bigint,
): Promise<void> {
  const found = await readContract(client, {
    address: currency.address,
    abi: TOKEN_ABI,
    functionName: "balanceOf",
    args: [account],
  });
  if (found < needed) throw new InsufficientBalanceError({ chainId, account, currency, needed, found });
}

async function requireAllowance(
  { client, address: account }: StepWallet,
  chainId: number,
  currency: Token,
  spender: Address,
  needed: bigint,
): Promise<void> {
  const found = await readContract(client, {
    address: currency.address,
    abi: TOKEN_ABI,
    functionName: "allowance",
    args: [account, spender],
  });
  if (found < needed) {
    throw new InsufficientAllowanceError({ chainId, account, currency, spender, needed, found });
  }
}

/** A plain transfer needs no allowance. */
function takesByAllowance({ data }: PlannedTransaction, token: Address): boolean {
  try {
    return isSameAddress(decodeFunctionData({ abi: DEPOSIT_ABI, data }).args[1], token);
  } catch {
    return false;
  }
}
