import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, isHex } from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import { TRON_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { Ledger, LedgerDeposit } from "../../market/ledger.ts";
import { findSimulatedChain } from "../../market/simulatedChains.ts";
import type { LedgerParts } from "../openLedgers.ts";
import { serveLedger } from "../serveLedger.ts";
import { readAddress, toBase58, toHexForm } from "./address.ts";
import { respond, type TronNode } from "./api.ts";
import { type Included, TronChain } from "./chain.ts";
import { Accounts } from "./contracts.ts";
import type { Operation } from "./transaction.ts";

/** Opens the Tron chain of a network: accounts, the depository, a dollar token, and the API of a full node. */
export async function openTronLedger({ onArrival, names, log, clock }: LedgerParts): Promise<Ledger> {
  const simulated = findSimulatedChain(TRON_CHAIN_ID);
  if (simulated === undefined) throw new Error("the network does not simulate Tron");
  const [native, ...tokens] = simulated.currencies.map(({ currency: { address, name, symbol, decimals } }) => ({
    address: readAddress(address, "currency"),
    name,
    symbol,
    decimals,
  }));
  if (native === undefined) throw new Error("Tron has no currency");
  const depository = readAddress(simulated.depository, "depository");
  const solver = readAddress(simulated.solver, "solver");
  const accounts = new Accounts({ native: native.address, depository, tokens });
  const chain = new TronChain(accounts, clock);
  const requestIds = new Map<string, string>();
  const payments = new Map<string, string>();

  const report = async ({ transaction, deposit }: Included): Promise<void> => {
    const requestId = deposit === undefined ? undefined : requestIds.get(deposit.orderId);
    if (deposit === undefined || requestId === undefined) return;
    const { amount, currency, depositor } = deposit;
    const arrival = {
      requestId,
      txHash: transaction.id,
      depositor: toBase58(depositor),
      currency: toBase58(currency),
      amount,
    };
    // The transaction is included, whatever the service does with it.
    await onArrival(arrival).catch((error: unknown) => {
      log.warn({ error, requestId, txHash: transaction.id }, "a deposit on Tron was not accepted");
    });
  };
  const node: TronNode = {
    chain,
    tokens,
    async submit(signed) {
      const result = await chain.submit(signed);
      if ("transaction" in result) await report(result);
      return result;
    },
  };
  const { url, close } = await serveLedger({ names, log, respond: (call) => respond(node, call) });

  const callData = (user: string, contract: Address, data: Hex, callValue = 0) => ({
    parameter: {
      owner_address: toHexForm(readAddress(user, "user")),
      contract_address: toHexForm(contract),
      data,
      call_value: callValue,
    },
  });

  return {
    url,
    oracleChain: { vmType: "tron-vm", httpRpcUrl: `${url}/jsonrpc` },
    close,
    async approvalData({ user, currency, amount }: LedgerDeposit) {
      const token = readAddress(currency, "currency");
      const allowance = accounts.allowanceOf(readAddress(user, "user"), depository, token);
      if (token === native.address || allowance >= amount) return undefined;
      const args = [depository, amount] as const;
      return callData(user, token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }));
    },
    async depositData({ user, currency, amount, requestId, orderId }: LedgerDeposit) {
      const id = readWord(orderId);
      const depositor = readAddress(user, "user");
      const token = readAddress(currency, "currency");
      const isNative = token === native.address;
      const callValue = isNative ? toNumber(amount) : 0;
      requestIds.set(id, requestId);
      const data = isNative
        ? encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [depositor, id] })
        : encodeFunctionData({
            abi: depositoryAbi,
            functionName: "depositErc20",
            args: [depositor, token, amount, id],
          });
      return callData(user, depository, data, callValue);
    },
    async pay({ key, recipient, currency, amount, orderId }) {
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
            // The oracle finds the order by the end of the call data, or by the memo.
            data: concat([encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }), id]),
          };
      // The solver never runs out of funds.
      accounts.mint(solver, token, amount);
      const { transaction } = chain.include(chain.build(operation, 0, isNative ? id : "0x"));
      payments.set(key, transaction.id);
      return transaction.id;
    },
    async hasTransaction(hash) {
      return chain.transaction(hash) !== undefined;
    },
    async fund(account, currency, amount) {
      accounts.mint(readAddress(account, "address"), readAddress(currency, "currency"), amount);
    },
  };
}

function readWord(orderId: string): Hex {
  if (isHex(orderId) && orderId.length === 66) return orderId;
  throw new InvalidInputError({
    field: "orderId",
    value: orderId,
    reason: "it is not a 32-byte word",
    hint: "Pass the id of the order.",
  });
}

/** Transactions have amounts of native currency as JSON numbers. */
function toNumber(amount: bigint): number {
  if (amount <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(amount);
  throw new InvalidInputError({
    field: "amount",
    value: amount.toString(),
    reason: `transactions on Tron are limited to ${Number.MAX_SAFE_INTEGER} sun`,
    hint: "Pay in parts.",
  });
}
