import { type Address, decodeFunctionData, parseAbi } from "viem";
import { getBalance, readContract } from "viem/actions";

import { EVM_NATIVE_CURRENCY, isSameAddress, parseEvmAddress } from "../../chains/address.ts";
import { parseAmount } from "../../core/amounts.ts";
import type { Quote } from "../../protocol/quote.ts";
import { InsufficientAllowanceError, InsufficientBalanceError } from "./executionErrors.ts";
import { chooseFees, foreseeGas, highestFee } from "./gas.ts";
import type { PlannedTransaction } from "./planSteps.ts";
import type { StepWallet } from "./stepWallet.ts";

const TOKEN_ABI = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
]);

const DEPOSIT_ABI = parseAbi([
  "function depositErc20(address depositor, address token, uint256 amount, bytes32 id)",
  "function depositErc20(address depositor, address token, bytes32 id)",
]);

/**
 * Makes sure that an account can pay for transactions of one chain: value and gas in the native currency, and the
 * quote's input in its token, with an allowance where no step gives one.
 *
 * @throws {@link InsufficientBalanceError}
 * @throws {@link InsufficientAllowanceError}
 */
export async function requireFunds(
  wallet: StepWallet,
  chainId: number,
  transactions: readonly PlannedTransaction[],
  { quote: { details }, hasApproval }: { quote: Quote; hasApproval: boolean },
): Promise<void> {
  await requireNative(wallet, chainId, transactions);
  const { currencyIn } = details;
  const { currency } = currencyIn;
  // Other chains' transactions (a second origin, a step after the deposit) do not pay the input.
  const paysInput = transactions.find(({ stepId }) => stepId !== "approve");
  if (currency.chainId !== chainId || paysInput === undefined || currency.address === EVM_NATIVE_CURRENCY) return;
  const token = parseEvmAddress(currency.address, "details.currencyIn.currency.address");
  const needed = parseAmount(currencyIn.amount, "details.currencyIn.amount");
  await requireToken(wallet, chainId, token, needed);
  if (hasApproval || !takesByAllowance(paysInput, token)) return;
  await requireAllowance(wallet, chainId, token, paysInput.to, needed);
}

async function requireNative(
  { client, address }: StepWallet,
  chainId: number,
  transactions: readonly PlannedTransaction[],
): Promise<void> {
  const [found, ...costs] = await Promise.all([
    getBalance(client, { address }),
    ...transactions.map(async (transaction) => {
      const [gas, fees] = await Promise.all([foreseeGas(client, transaction), chooseFees(client, transaction)]);
      return transaction.value + gas * highestFee(fees);
    }),
  ]);
  const needed = costs.reduce((sum, cost) => sum + cost, 0n);
  if (found >= needed) return;
  throw new InsufficientBalanceError({ chainId, account: address, currency: EVM_NATIVE_CURRENCY, needed, found });
}

async function requireToken(
  { client, address: account }: StepWallet,
  chainId: number,
  currency: Address,
  needed: bigint,
): Promise<void> {
  const found = await readContract(client, {
    address: currency,
    abi: TOKEN_ABI,
    functionName: "balanceOf",
    args: [account],
  });
  if (found < needed) throw new InsufficientBalanceError({ chainId, account, currency, needed, found });
}

async function requireAllowance(
  { client, address: account }: StepWallet,
  chainId: number,
  currency: Address,
  spender: Address,
  needed: bigint,
): Promise<void> {
  const found = await readContract(client, {
    address: currency,
    abi: TOKEN_ABI,
    functionName: "allowance",
    args: [account, spender],
  });
  if (found < needed) {
    throw new InsufficientAllowanceError({ chainId, account, currency, spender, needed, found });
  }
}

/** Whether a transaction is the depository's `depositErc20` of this token; a plain transfer needs no allowance. */
function takesByAllowance({ data }: PlannedTransaction, token: Address): boolean {
  try {
    return isSameAddress(decodeFunctionData({ abi: DEPOSIT_ABI, data }).args[1], token);
  } catch {
    return false;
  }
}
