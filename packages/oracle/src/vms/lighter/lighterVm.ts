import { onchainId } from "@crosscall/protocol/attestation";
import { LIGHTER_CODEC, lighterCurrency } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import { createChainRpc, RPC_TIMEOUT_MS } from "../../rpc/chainRpc.ts";
import { createRestEndpoint, fixedHeaders } from "../../rpc/restEndpoint.ts";
import type { RpcEndpoint } from "../../rpc/rpcEndpoint.ts";
import { rejectFastMode, rejectGenesisHash, requireNoDeposit, withoutCalls } from "../rules.ts";
import { createReadFinal, readCachesOf } from "../readFinal.ts";
import type { Deposit, DepositsRequest, Settlement, SettlementRequest, VmChain, VmFamily } from "../vmChain.ts";
import { createLighterReader, type LighterTransaction, openLighterExplorer } from "./lighterReader.ts";
import { decodeWithdrawal, memoHex, memoId, paidCurrency, readWithdrawalStatus } from "./withdrawals.ts";

export const LIGHTER_VM: VmFamily = {
  vmType: "lighter-vm",
  checkSettings(settings, report) {
    rejectFastMode("lighter-vm", settings, report);
    rejectGenesisHash(settings, report, "Omit it.");
  },
  open(options, { clock, observer }): VmChain {
    const { id, rpcUrls, depository, additionalDepositories = [], additionalData } = options;
    const endpoints = rpcUrls.map((url) => createEndpoint(url, additionalData.rpcApiKey));
    const { rpcAgreement = 1, explorerApiUrl } = additionalData;
    const rpc = createChainRpc({ chainId: id, endpoints, agreement: rpcAgreement, observer, clock });
    const reader = createLighterReader(rpc);
    const explorer =
      explorerApiUrl === undefined ? undefined : openLighterExplorer(explorerApiUrl, { chainId: id, observer, clock });
    const depositories = depository === undefined ? [] : [depository, ...additionalDepositories];
    const readFinal = createReadFinal<string, LighterTransaction>(readCachesOf(additionalData, clock));

    const readTransaction = async (transactionId: string): Promise<LighterTransaction | undefined> => {
      const bytes = LIGHTER_CODEC.encodeTransactionId(transactionId, "transactionId");
      const hash = LIGHTER_CODEC.decodeTransactionId(bytes);
      return readFinal(hash, async () => {
        const found = await reader.transaction(hash);
        return found === undefined ? undefined : { found, isFinal: found.isExecuted };
      });
    };

    const readExecuted = async (transactionId: string): Promise<LighterTransaction> => {
      const transaction = await readTransaction(transactionId);
      requireAttested(transaction !== undefined, `Missing transaction ${transactionId} on chain ${id}`);
      requireAttested(transaction.isExecuted, `Missing or reverted transaction ${transactionId}`);
      return transaction;
    };

    const readDeposits = async ({ transactionId }: DepositsRequest): Promise<readonly Deposit[]> => {
      requireAttested(depositories.length > 0, "Chain has no depository configured");
      const { transfer, queuedAt } = await readExecuted(transactionId);
      const funded = depositories.find((index) => transfer?.to === BigInt(index));
      if (transfer === undefined || funded === undefined || transfer.from === transfer.to) return [];
      requireAttested(queuedAt !== undefined, `Missing queued_at for transaction ${transactionId}`);
      return [
        {
          onchainId: onchainId(id, transactionId, 0),
          place: transactionId.toLowerCase(),
          depository: funded,
          depositId: memoId(transfer.memo),
          depositor: transfer.from.toString(),
          currency: lighterCurrency(transfer.asset, transfer.route),
          amount: transfer.amount,
          timestamp: Math.floor(queuedAt / 1000),
        },
      ];
    };

    const readSettlement = async (request: SettlementRequest): Promise<Settlement> => {
      const { transactionId, orderId, deadline } = request;
      const { transfer, queuedAt } = await readExecuted(transactionId);
      requireAttested(queuedAt !== undefined, `Missing or reverted transaction ${transactionId}`);
      const isInTime = Math.floor(queuedAt / 1000) <= deadline;
      requireAttested(isInTime, `Transaction ${transactionId} executed after deadline`);
      requireAttested(transfer !== undefined, "Could not detect payment");
      const isOfOrder = memoHex(transfer.memo) === orderId;
      requireAttested(isOfOrder, `Transaction ${transactionId} does not reference order id`);
      const place = transactionId.toLowerCase();
      return {
        place,
        depositedInto: depositories.find((index) => transfer.to === BigInt(index)),
        paidTo({ recipient, currency }) {
          requireNoDeposit(transactionId, recipient, depositories.includes(recipient));
          const isPaid = paidCurrency(transfer) === currency && transfer.to.toString() === recipient;
          requireAttested(isPaid, "Could not detect payment");
          return { place: `${place}:${recipient}`, amount: transfer.amount };
        },
        ...withoutCalls("lighter-vm"),
      };
    };

    return {
      readDeposits: async (request) => ({ deposits: await readDeposits(request), mode: "slow" }),
      readSettlement,
      async readSigner(account) {
        LIGHTER_CODEC.encodeAddress(account, "owner");
        const found = await reader.account(account);
        requireAttested(found !== undefined, `Lighter account ${account} not found`);
        requireAttested(found.owner !== undefined, `Lighter account ${account} has no l1_address`);
        return found.owner;
      },
      decodeWithdrawal,
      readWithdrawalStatus: (withdrawal, hints) =>
        readWithdrawalStatus({ chainId: id, depositories, readTransaction, explorer, clock }, withdrawal, hints),
      probe: () => reader.account(depository ?? "0"),
      // The chain is not checked, because the exchange's API does not return it.
      checkChain: () => Promise.resolve(),
      close() {
        rpc.close();
        explorer?.close();
      },
    };
  },
};

/** @param apiKey key of a proxy in front of the exchange */
function createEndpoint(url: string, apiKey: string | undefined): RpcEndpoint {
  return createRestEndpoint({
    url,
    timeoutMs: RPC_TIMEOUT_MS,
    isAbsent: isUnknown,
    ...(apiKey === undefined ? {} : { credentials: fixedHeaders({ "x-api-key": apiKey }) }),
    toCall: (method, [by, value]) => ({ path: `/api/v1/${method}?by=${String(by)}&value=${String(value)}` }),
  });
}

/** Returns whether the response means that a hash or an account is unknown. */
function isUnknown(status: number, content: unknown): boolean {
  const { message } = (content ?? {}) as Record<string, unknown>;
  return status === 404 || (status === 400 && typeof message === "string" && /not found/iu.test(message));
}
