import type { Hex } from "viem";

import { decodeFillContract } from "@crosscall/sdk/internal/protocol/order/orderCalls";
import { createBoundedCache } from "../../boundedCache.ts";
import { openChainRpc } from "../../rpc/openChainRpc.ts";
import { withoutCalls } from "../limits.ts";
import type { DepositsAnswer, VmChain, VmChainOptions, VmFamily, VmTools } from "../vmChain.ts";
import type { EvmDialect } from "./dialect.ts";
import type { EvmChain } from "./evmChain.ts";
import { createEvmReader } from "./evmReader.ts";
import { finalityOf } from "./finality.ts";
import { madeCalls } from "./findPayments.ts";
import { readDeposits } from "./readDeposits.ts";
import { readPayment } from "./readPayment.ts";
import { createTransactions } from "./transactions.ts";
import { decodeWithdrawal, readWithdrawalStatus } from "./withdrawals.ts";

const KEPT_DEPOSITS = 10_000;

export function evmFamily(dialect: EvmDialect): VmFamily {
  return { vmType: dialect.vmType, open: (options, tools) => openEvmChain(dialect, options, tools) };
}

function openEvmChain(dialect: EvmDialect, options: VmChainOptions, tools: VmTools): VmChain {
  const { id, rpcUrls, additionalData } = options;
  const rpc = openChainRpc(id, rpcUrls, additionalData, tools);
  const reader = createEvmReader(rpc);
  const finality = finalityOf(additionalData);
  const transactions = createTransactions({ chainId: id, reader, clock: tools.clock, finality });
  const depository = options.depository === undefined ? undefined : dialect.toEvm(options.depository, "depository");
  const chain: EvmChain = { dialect, options, reader, transactions, finality, depository };
  const finalDeposits = createBoundedCache<string, DepositsAnswer>(KEPT_DEPOSITS);
  return {
    async readDeposits(request) {
      const cached = finalDeposits.get(request.transactionId);
      if (cached !== undefined) return cached;
      const answer = await readDeposits(chain, request);
      // A response from the fast mode changes once the transaction is final.
      if (answer.isFinal) finalDeposits.set(request.transactionId, answer);
      return answer;
    },
    readPayment: (request) => readPayment(chain, request),
    async hasMadeCalls(request) {
      const { transactionId, extraData, calls } = request;
      if (!dialect.readsCalls) return withoutCalls(dialect.vmType).hasMadeCalls(request);
      const { receipt } = await transactions.readIncluded(transactionId, dialect.toHash(transactionId));
      return madeCalls(receipt.logs, decodeFillContract(extraData).toLowerCase() as Hex, calls);
    },
    decodeWithdrawal: (payload) => decodeWithdrawal(dialect, payload),
    readWithdrawalStatus: (withdrawal) => readWithdrawalStatus(chain, withdrawal),
    close: () => rpc.close(),
  };
}
