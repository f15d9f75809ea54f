import { type Address, decodeEventLog, decodeFunctionData, erc20Abi, type Hex, type Log } from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import type { PlannedTransaction } from "@crosscall/protocol/quote/rules";
import { isTrusted } from "@crosscall/sdk/kit";

export interface WantedDeposit {
  readonly orderId: string;
  /** Of the order's input; zero address for native currency. */
  readonly currency: string;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly depositories: readonly string[];
  readonly solvers: readonly string[];
}

/** Whether a pinned depository records the deposit, or a plain transfer to a pinned account names the order. */
export function isDeposited(
  wanted: WantedDeposit,
  logs: readonly Log[],
  transactions: readonly PlannedTransaction[],
): boolean {
  const { orderId, currency, amount, depositories } = wanted;
  const isRecorded = logs.some((log) => {
    // Any contract can emit the event.
    const event = isTrusted(depositories, log.address) ? tryDecodeDeposit(log) : undefined;
    if (event === undefined || event.id.toLowerCase() !== orderId.toLowerCase()) return false;
    return isSameAddress(event.currency, currency) && event.amount >= amount;
  });
  return isRecorded || transactions.some((transaction) => isPlainDeposit(transaction, wanted));
}

/** A transfer with the orderId after its call data, which no event records. */
function isPlainDeposit(
  { to, data, value }: PlannedTransaction,
  { orderId, currency, amount, depositories, solvers }: WantedDeposit,
): boolean {
  const payees = [...depositories, ...solvers];
  const id = orderId.slice(2).toLowerCase();
  if (id === "" || !data.toLowerCase().endsWith(id)) return false;
  if (isEvmNative(currency)) return data.length === orderId.length && isTrusted(payees, to) && value >= amount;
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: data.slice(0, -id.length) as Hex });
    const isTransfer = functionName === "transfer" && isSameAddress(to, currency);
    return isTransfer && isTrusted(payees, args[0]) && args[1] >= amount;
  } catch {
    return false;
  }
}

interface RecordedDeposit {
  readonly id: Hex;
  readonly currency: Address;
  readonly amount: bigint;
}

function tryDecodeDeposit({ data, topics }: Log): RecordedDeposit | undefined {
  try {
    const { eventName, args } = decodeEventLog({ abi: depositoryAbi, data, topics });
    if (eventName === "RelayNativeDeposit") return { ...args, currency: EVM_NATIVE_CURRENCY };
    return eventName === "RelayErc20Deposit" ? { ...args, currency: args.token } : undefined;
  } catch {
    return undefined;
  }
}
