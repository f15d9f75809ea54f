import { type Address, concat, encodeFunctionData, erc20Abi, type Hex } from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import type { Step, StepItem } from "@crosscall/protocol/complete";
import type { TransactionData } from "@crosscall/protocol/quote";
import { approvalCalls } from "../approvalCalls.ts";
import type { EvmOriginQuote } from "./resolveQuote.ts";

export interface TransactionStepParameters extends Pick<Step, "id" | "description" | "items"> {
  readonly requestId: Hex;
  readonly depositAddress?: string;
}

export function transactionStep({
  id,
  description,
  requestId,
  items,
  depositAddress = "",
}: TransactionStepParameters): Step {
  const action = "Confirm transaction in your wallet";
  return { id, action, description, kind: "transaction", requestId, depositAddress, items };
}

/** Returns an item with a check: clients poll the request's status after its transaction. */
export function polledItem(requestId: string, data: NonNullable<StepItem["data"]>): StepItem {
  return {
    status: "incomplete",
    data,
    check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" },
  };
}

// Upper bounds, so that wallets need no estimate: a token may do more work than a transfer.
const APPROVAL_GAS = 100_000n;
const NATIVE_DEPOSIT_GAS = 100_000n;
const TOKEN_DEPOSIT_GAS = 250_000n;

/** Wei. */
export interface GasFees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface ApprovalStepParameters {
  readonly quote: Pick<EvmOriginQuote, "origin" | "input" | "user">;
  readonly requestId: Hex;
  readonly spender: Address;
  /** Smallest unit. */
  readonly allowance: bigint;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly purpose: "deposit" | "swap" | "permit";
  readonly fees: GasFees;
}

/** Returns an approval, or no step if the allowance is sufficient. */
export function approvalSteps(parameters: ApprovalStepParameters): Step[] {
  const { quote, requestId, spender, allowance, amount, purpose, fees } = parameters;
  if (allowance >= amount) return [];
  const { address, symbol } = quote.input.currency;
  const token = address as Address;
  const calls = approvalCalls(quote.origin.tokens, { token, spender, amount, mayHaveAllowance: allowance > 0n });
  return [
    transactionStep({
      id: "approve",
      description: `Approve ${symbol} for the ${purpose}`,
      requestId,
      // Has no `check`: a client would poll the status of a deposit that was not made yet.
      items: calls.map(({ to, data }) => ({
        status: "incomplete",
        data: { from: quote.user, to, data, value: "0", chainId: quote.origin.id, ...gasOf(APPROVAL_GAS, fees) },
      })),
    }),
  ];
}

export function gasOf(gas: bigint, { maxFeePerGas, maxPriorityFeePerGas }: GasFees) {
  return {
    gas: gas.toString(),
    maxFeePerGas: maxFeePerGas.toString(),
    maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
  };
}

export interface StepParameters extends GasFees {
  readonly quote: Pick<EvmOriginQuote, "user" | "input" | "origin">;
  readonly requestId: Hex;
  readonly orderId: Hex;
  /** Smallest unit. */
  readonly inputAmount: bigint;
  /** Smallest unit. */
  readonly allowance: bigint;
  /** Recipient of a plain transfer; undefined for a deposit to the depository. */
  readonly depositAddress?: Address | undefined;
  /** Whether tokens are transferred to the depository, with the orderId, instead of being pulled by it. */
  readonly isImplicit?: boolean;
}

/** Returns the deposit, and an approval before it if the allowance is too small. */
export function buildSteps(parameters: StepParameters): Step[] {
  const { quote, requestId, inputAmount: amount, allowance, depositAddress } = parameters;
  const deposit = depositStep(parameters);
  if (depositAddress !== undefined || quote.input.currency.metadata.isNative) return [deposit];
  if (parameters.isImplicit === true) return [deposit];
  const spender = quote.origin.contracts.depository;
  return [
    ...approvalSteps({ quote, requestId, spender, allowance, amount, purpose: "deposit", fees: parameters }),
    deposit,
  ];
}

function depositStep(parameters: StepParameters): Step {
  const { quote, requestId } = parameters;
  return transactionStep({
    id: "deposit",
    description: `Deposit ${quote.input.currency.symbol} on ${quote.origin.name}`,
    requestId,
    depositAddress: parameters.depositAddress ?? "",
    items: [polledItem(requestId, depositData(parameters))],
  });
}

function depositData(parameters: StepParameters): TransactionData {
  const { quote, inputAmount } = parameters;
  const isNative = quote.input.currency.metadata.isNative;
  return {
    from: quote.user,
    ...(parameters.depositAddress === undefined
      ? depositoryCall(parameters)
      : plainTransfer(parameters, parameters.depositAddress)),
    value: isNative ? inputAmount.toString() : "0",
    chainId: quote.origin.id,
    ...gasOf(isNative ? NATIVE_DEPOSIT_GAS : TOKEN_DEPOSIT_GAS, parameters),
  };
}

type ContractCall = Required<Pick<TransactionData, "to" | "data">>;

function depositoryCall({ quote, orderId, inputAmount, isImplicit }: StepParameters): ContractCall {
  const isNative = quote.input.currency.metadata.isNative;
  if (isImplicit === true && !isNative) {
    const { depository } = quote.origin.contracts;
    const args = [depository, inputAmount] as const;
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
    return { to: quote.input.currency.address, data: concat([transfer, orderId]) };
  }
  const data = isNative
    ? encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [quote.user as Address, orderId] })
    : encodeFunctionData({
        abi: depositoryAbi,
        functionName: "depositErc20",
        args: [quote.user as Address, quote.input.currency.address as Address, inputAmount, orderId],
      });
  return { to: quote.origin.contracts.depository, data };
}

/** Returns a transfer without additional call data, so that an exchange can send it too. */
function plainTransfer({ quote, inputAmount }: StepParameters, depositAddress: Address): ContractCall {
  const { address, metadata } = quote.input.currency;
  if (metadata.isNative) return { to: depositAddress, data: "0x" };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [depositAddress, inputAmount] });
  return { to: address, data };
}
