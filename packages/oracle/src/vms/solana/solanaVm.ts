import { onchainId } from "@crosscall/protocol/attestation";
import { SOLANA_CODEC, vaultOf } from "@crosscall/protocol/vms";
import { AmbiguousPaymentError, requireAttested } from "../../attestationRefusedError.ts";
import { genesisIdentity } from "../chainIdentity.ts";
import { openChainRpc } from "../../rpc/chainRpc.ts";
import { rejectFastMode, requireNoDeposit, requireOnlyOrder, withoutCalls } from "../rules.ts";
import { readCachesOf } from "../readFinal.ts";
import type { Deposit, DepositsRequest, Settlement, SettlementRequest, VmChain, VmFamily } from "../vmChain.ts";
import { findDeposits, findPayment, hasWithdrawal, namedOrders } from "./transfers.ts";
import { createSolanaReader, createSolanaTransactions, type SolanaTransactions } from "./solanaReader.ts";
import { decodeWithdrawal, readWithdrawalStatus } from "./withdrawals.ts";

export const SOLANA_VM: VmFamily = {
  vmType: "solana-vm",
  checkSettings: (settings, report) => rejectFastMode("solana-vm", settings, report),
  open({ id, rpcUrls, depository, additionalDepositories = [], additionalData }, tools): VmChain {
    const identity = genesisIdentity(additionalData, { method: "getGenesisHash", params: [] }, (hash) => hash);
    const rpc = openChainRpc(id, rpcUrls, additionalData, tools, identity);
    const reader = createSolanaReader(rpc);
    const transactions = createSolanaTransactions(
      reader,
      additionalData.finalizationBlocks ?? 0,
      readCachesOf(additionalData, tools.clock),
    );
    const account = depository === undefined ? undefined : { program: depository, vault: vaultOf(depository) };
    const programs = depository === undefined ? [] : [depository, ...additionalDepositories];

    const readDeposits = async ({ transactionId }: DepositsRequest): Promise<readonly Deposit[]> => {
      const transaction = await readFinal(transactions, transactionId);
      if (transaction === undefined) return [];
      requireAttested(transaction.isSuccess, `Transaction failed: ${transactionId}`);
      const timestamp = await transactions.timeOf(transaction);
      requireAttested(account !== undefined, "Chain has no depository configured");
      return findDeposits(transaction, account).map(({ index, id: depositId, ...deposit }) => ({
        onchainId: onchainId(id, transactionId, index),
        place: `${transactionId}:${index}`,
        depository: account.program,
        depositId,
        ...deposit,
        timestamp,
      }));
    };

    const readSettlement = async (request: SettlementRequest): Promise<Settlement> => {
      const { transactionId, orderId, deadline } = request;
      const transaction = await readFinal(transactions, transactionId);
      requireAttested(transaction !== undefined, `Missing transaction: ${transactionId}`);
      requireAttested(transaction.isSuccess, `Transaction failed: ${transactionId}`);
      const timestamp = await transactions.timeOf(transaction);
      requireAttested(timestamp <= deadline, `Transaction executed after deadline: ${deadline}`);
      requireOnlyOrder(transactionId, orderId, namedOrders(transaction));
      // Anyone can execute the recipient's own withdrawal and add a memo.
      const withdrawn = programs.find((program) => hasWithdrawal(transaction, program));
      if (withdrawn !== undefined) {
        const meanings = [`a withdrawal from ${withdrawn}`, `a payment of order ${orderId}`] as const;
        throw new AmbiguousPaymentError(`transaction ${transactionId}`, meanings);
      }
      const deposits = account === undefined ? [] : findDeposits(transaction, account);
      const isDeposit = deposits.some(({ id: depositId }) => depositId === orderId);
      return {
        place: transactionId,
        depositedInto: isDeposit ? account?.program : undefined,
        paidTo({ recipient, currency }) {
          requireNoDeposit(transactionId, recipient, recipient === account?.vault);
          const amount = findPayment(transaction, recipient, currency);
          return { place: `${transactionId}:${currency}:${recipient}`, amount };
        },
        ...withoutCalls("solana-vm"),
      };
    };

    return {
      readDeposits: async (request) => ({ deposits: await readDeposits(request), mode: "slow" }),
      readSettlement,
      decodeWithdrawal,
      readWithdrawalStatus: (withdrawal, hints) =>
        readWithdrawalStatus(reader, hints.depository ?? depository, withdrawal),
      probe: () => Promise.all([rpc.checkChain(), reader.finalizedSlot()]),
      checkChain: () => rpc.checkChain(),
      close: () => rpc.close(),
    };
  },
};

/** @throws {@link InvalidInputError} if the id is not a transaction signature of the family */
function readFinal(transactions: SolanaTransactions, transactionId: string) {
  SOLANA_CODEC.encodeTransactionId(transactionId, "transactionId");
  return transactions.read(transactionId);
}
