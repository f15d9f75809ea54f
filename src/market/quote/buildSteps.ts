import { type Address, type Hex, encodeFunctionData, erc20Abi } from "viem";

import { depositoryAbi } from "@crosscall/sdk/internal/abi/depository.generated";
import { isSameAddress } from "@crosscall/sdk/internal/chains/address";
import type { Step } from "@crosscall/sdk/internal/protocol/complete";
import type { TransactionData } from "@crosscall/sdk/internal/protocol/quote/step";
import type { DevChain } from "../../devchain/devChain.ts";
import type { QuoteSubject } from "./resolveQuote.ts";

/** What the steps need beside the resolved quote. */
export interface StepParameters {
  readonly quote: Pick<QuoteSubject, "user" | "input"> & { readonly origin: DevChain };
  readonly requestId: Hex;
  readonly orderId: Hex;
  /** Smallest unit. */
  readonly inputAmount: bigint;
  /** What the depository may already take of the user's tokens, smallest unit. */
  readonly allowance: bigint;
  /** Wei. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Where the input is paid to by a plain transfer; undefined where it goes to the depository. */
  readonly depositAddress?: Address | undefined;
}

// Upper bounds of a deposit's gas, so that a wallet need not estimate it: a token may do more work than a transfer.
const NATIVE_DEPOSIT_GAS = 100_000n;
const TOKEN_DEPOSIT_GAS = 250_000n;

/** The steps of a quote: for a token whose allowance is too small an approval, then the deposit. */
export function buildSteps(parameters: StepParameters): Step[] {
  const { quote, inputAmount } = parameters;
  const deposit = depositStep(parameters);
  const needsApproval =
    parameters.depositAddress === undefined &&
    !quote.input.currency.metadata.isNative &&
    parameters.allowance < inputAmount;
  return needsApproval ? [approveStep(parameters), deposit] : [deposit];
}

function approveStep({ quote, requestId, inputAmount, allowance }: StepParameters): Step {
  const { symbol, address } = quote.input.currency;
  const { depository, tether } = quote.origin.contracts;
  const approve = (amount: bigint): Step["items"][number] => ({
    status: "incomplete",
    data: {
      from: quote.user,
      to: address,
      data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [depository, amount] }),
      value: "0",
      chainId: quote.origin.id,
    },
  });
  // This token changes an allowance from or to zero only.
  const needsReset = allowance > 0n && isSameAddress(address, tether);
  return {
    id: "approve",
    action: "Confirm transaction in your wallet",
    description: `Approve ${symbol} for the deposit`,
    kind: "transaction",
    requestId,
    depositAddress: "",
    // No `check`: a client would poll the status of a deposit that is not made yet.
    items: needsReset ? [approve(0n), approve(inputAmount)] : [approve(inputAmount)],
  };
}

function depositStep(parameters: StepParameters): Step {
  const { quote, requestId } = parameters;
  return {
    id: "deposit",
    action: "Confirm transaction in your wallet",
    description: `Deposit ${quote.input.currency.symbol} on ${quote.origin.name}`,
    kind: "transaction",
    requestId,
    depositAddress: parameters.depositAddress ?? "",
    items: [
      {
        status: "incomplete",
        data: depositData(parameters),
        check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" },
      },
    ],
  };
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
    gas: (isNative ? NATIVE_DEPOSIT_GAS : TOKEN_DEPOSIT_GAS).toString(),
    maxFeePerGas: parameters.maxFeePerGas.toString(),
    maxPriorityFeePerGas: parameters.maxPriorityFeePerGas.toString(),
  };
}

type ContractCall = Required<Pick<TransactionData, "to" | "data">>;

function depositoryCall({ quote, orderId, inputAmount }: StepParameters): ContractCall {
  const isNative = quote.input.currency.metadata.isNative;
  const data = isNative
    ? encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [quote.user as Address, orderId] })
    : encodeFunctionData({
        abi: depositoryAbi,
        functionName: "depositErc20",
        args: [quote.user as Address, quote.input.currency.address as Address, inputAmount, orderId],
      });
  return { to: quote.origin.contracts.depository, data };
}

/** A payment to a deposit address needs no call data: an exchange can make it, too. */
function plainTransfer({ quote, inputAmount }: StepParameters, depositAddress: Address): ContractCall {
  const { address, metadata } = quote.input.currency;
  if (metadata.isNative) return { to: depositAddress, data: "0x" };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [depositAddress, inputAmount] });
  return { to: address, data };
}
