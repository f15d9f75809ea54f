import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, isHex } from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import { TRON_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import type { StepItem } from "@crosscall/protocol/complete";
import { InvalidStateError } from "@crosscall/protocol/core";
import type { LedgerDeposit, LedgerPayment } from "../../market/ledger.ts";
import { rejectField } from "../../market/rejection.ts";
import { findSimulatedChain } from "../../market/simulatedChains.ts";
import type { LedgerParts } from "../ledgerParts.ts";
import type { LedgerCall, LedgerResponse } from "../serveLedger.ts";
import { readAddress, toBase58, toHexForm } from "./address.ts";
import { respond } from "./api.ts";
import { type Included, type Rejected, TronChain } from "./chain.ts";
import { Accounts } from "./contracts.ts";
import type { Operation, SignedTransaction } from "./transaction.ts";

/** Ledger with accounts, the depository, a dollar token, and the API of a full node. */
export interface TronLedger {
  respond(call: LedgerCall): Promise<LedgerResponse>;
  balanceOf(account: string, currency: string): bigint;
  approvalData(deposit: ApprovedDeposit): StepItem["data"];
  depositData(deposit: LedgerDeposit): NonNullable<StepItem["data"]>;
  pay(payment: LedgerPayment): string;
  fund(account: string, currency: string, amount: bigint): void;
  hasTransaction(hash: string): boolean;
}

type ApprovedDeposit = Pick<LedgerDeposit, "user" | "currency" | "amount">;

export function createTronLedger({ onArrival, clock, log }: LedgerParts, startMs: number): TronLedger {
  const { native, tokens, depository, solver } = readContracts();
  const accounts = new Accounts({ native: native.address, depository, tokens });
  const chain = new TronChain(accounts, clock, startMs);
  const requestIds = new Map<Hex, string>();
  const payments = new Map<string, string>();

  const pay = ({ key, recipient, currency, amount, orderId }: LedgerPayment): string => {
    const paid = payments.get(key);
    if (paid !== undefined) return paid;
    const id = readWord(orderId);
    const to = readAddress(recipient, "recipient");
    const token = readAddress(currency, "currency");
    const isNative = token === native.address;
    const args = [to, amount] as const;
    const operation: Operation = isNative
      ? { type: "TransferContract", owner: solver, to, amount: toNumber(amount) }
      : {
          type: "TriggerSmartContract",
          owner: solver,
          contract: token,
          callValue: 0,
          // The oracle reads the order id from the end of the call data, or from the memo.
          data: concat([encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }), id]),
        };
    // The solver never runs out of funds.
    accounts.mint(solver, token, amount);
    const { transaction } = chain.include(chain.build(operation, 0, isNative ? id : "0x"));
    payments.set(key, transaction.id);
    return transaction.id;
  };

  /** Reports a deposit to its request. Returns the amount to the depositor if no request takes the deposit. */
  const report = async ({ transaction, deposit }: Included): Promise<void> => {
    if (deposit === undefined) return;
    const { orderId, amount } = deposit;
    const requestId = requestIds.get(orderId);
    const txHash = transaction.id;
    const depositor = toBase58(deposit.depositor);
    const currency = toBase58(deposit.currency);
    try {
      if (requestId !== undefined) {
        await onArrival({ requestId, txHash, depositor, currency, amount });
        return;
      }
      log.warn({ orderId, txHash }, "a deposit on Tron names no order");
    } catch (error) {
      log.warn({ error, requestId, txHash }, "a deposit on Tron was not accepted");
    }
    if (amount > 0n) pay({ key: `return ${txHash}`, recipient: depositor, currency, amount, orderId });
  };
  const submit = async (signed: SignedTransaction): Promise<Included | Rejected> => {
    const result = await chain.submit(signed);
    if ("transaction" in result) await report(result);
    return result;
  };

  return {
    respond: (call) => respond({ chain, tokens, submit }, call),
    balanceOf: (account, currency) =>
      accounts.balanceOf(readAddress(account, "account"), readAddress(currency, "currency")),
    approvalData({ user, currency, amount }) {
      const token = readAddress(currency, "currency");
      const allowance = accounts.allowanceOf(readAddress(user, "user"), depository, token);
      if (token === native.address || allowance >= amount) return undefined;
      const args = [depository, amount] as const;
      return callData(user, token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }));
    },
    depositData({ user, currency, amount, requestId, orderId }) {
      const id = readWord(orderId);
      const depositor = readAddress(user, "user");
      const token = readAddress(currency, "currency");
      const isNative = token === native.address;
      const callValue = isNative ? toNumber(amount) : 0;
      const data = isNative
        ? encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [depositor, id] })
        : encodeFunctionData({
            abi: depositoryAbi,
            functionName: "depositErc20",
            args: [depositor, token, amount, id],
          });
      requestIds.set(id, requestId);
      return callData(user, depository, data, callValue);
    },
    pay,
    fund(account, currency, amount) {
      accounts.mint(readAddress(account, "address"), readAddress(currency, "currency"), amount);
    },
    hasTransaction: (hash) => chain.transaction(hash.toLowerCase()) !== undefined,
  };
}

/** Reads the chain's currencies and accounts. */
function readContracts() {
  const simulated = findSimulatedChain(TRON_CHAIN_ID);
  const [native, ...tokens] = (simulated?.currencies ?? []).map(({ currency }) => ({
    ...currency,
    address: readAddress(currency.address, "currency"),
  }));
  if (simulated === undefined || native === undefined) {
    throw new InvalidStateError({ message: "the network does not simulate Tron", hint: "Add it to the chains." });
  }
  return {
    native,
    tokens,
    depository: readAddress(simulated.depository, "depository"),
    solver: readAddress(simulated.solver, "solver"),
  };
}

/** Returns a step's data in the form that the published wallet adapter expects. */
function callData(user: string, contract: Address, data: Hex, callValue = 0) {
  return {
    parameter: {
      owner_address: toHexForm(readAddress(user, "user")),
      contract_address: toHexForm(contract),
      data,
      call_value: callValue,
    },
  };
}

function readWord(orderId: string): Hex {
  if (isHex(orderId) && orderId.length === 66) return orderId;
  throw rejectField("orderId", orderId, "is not a 32-byte word", "Pass the id of the order.");
}

/** Converts an amount of native currency to a number, because the API uses JSON numbers. */
function toNumber(amount: bigint): number {
  if (amount <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(amount);
  const reason = `transactions on Tron are limited to ${Number.MAX_SAFE_INTEGER} sun`;
  throw rejectField("amount", amount.toString(), reason, "Pay in parts.");
}
