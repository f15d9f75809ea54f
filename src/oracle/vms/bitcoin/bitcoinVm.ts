import { onchainId } from "@crosscall/sdk/internal/protocol/attestation/deterministicId";
import { bitcoinScript } from "@crosscall/sdk/internal/protocol/vms/bitcoinScript";
import { BITCOIN_CODEC } from "@crosscall/sdk/internal/protocol/vms/bitcoin";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { AdditionalData } from "../../chainFiles.ts";
import { createChainRpc } from "../../rpc/chainRpc.ts";
import { refuseFastMode, withoutCalls } from "../limits.ts";
import { readInTens } from "../../readInTens.ts";
import { readCachesOf } from "../readCache.ts";
import type { Deposit, DepositsRequest, ReportSetting, SpentOutput, VmChain, VmFamily } from "../vmChain.ts";
import { createBitcoinReader } from "./bitcoinReader.ts";
import { createCoreEndpoint, createEsploraEndpoint } from "./endpoints.ts";
import { findDeposit, paidTo } from "./findDeposit.ts";
import { carriedText } from "./script.ts";
import { createBitcoinTransactions } from "./transactions.ts";
import { decodeWithdrawal, readWithdrawalStatus } from "./withdrawals.ts";

/** Confirmations that make a transaction final. */
const DEFAULT_CONFIRMATIONS = 2;

export const BITCOIN_VM: VmFamily = {
  vmType: "bitcoin-vm",
  furtherUrls: ({ esploraCompatibleApiUrl: url }) => (url === undefined ? [] : [url]),
  checkSettings,
  open({ id, rpcUrls, depository, additionalDepositories = [], additionalData }, { clock, observer }): VmChain {
    const { esploraCompatibleApiUrl: esploraUrl, rpcAgreement = 1, rpcBatchSize } = additionalData;
    const endpoints = [
      ...rpcUrls.filter((url) => url !== esploraUrl).map((url) => createCoreEndpoint(url, rpcBatchSize)),
      ...(esploraUrl === undefined ? [] : [createEsploraEndpoint(esploraUrl, additionalData, clock)]),
    ];
    const rpc = createChainRpc({ chainId: id, endpoints, agreement: rpcAgreement, observer, clock });
    const reader = createBitcoinReader(rpc);
    const transactions = createBitcoinTransactions(
      reader,
      additionalData.finalizationBlocks ?? DEFAULT_CONFIRMATIONS,
      readCachesOf(additionalData, clock),
    );

    const readDeposits = async ({ transactionId }: DepositsRequest): Promise<readonly Deposit[]> => {
      const transaction = await transactions.read(toTxid(transactionId));
      requireAttested(transaction !== undefined, `Missing transaction ${transactionId}`);
      requireAttested(depository !== undefined, "Chain has no depository configured");
      const spent = await transactions.readSpent(transaction);
      const found = findDeposit(transaction.outputs, spent, [depository, ...additionalDepositories]);
      if (found === undefined) return [];
      const { index, id: depositId, ...deposit } = found;
      return [
        {
          onchainId: onchainId(id, transactionId, index),
          depositId,
          ...deposit,
          currency: BITCOIN_CODEC.nativeCurrency,
          timestamp: transaction.block.time,
        },
      ];
    };

    const outpointOf = ({ txid, vout }: SpentOutput) => ({ txid: toTxid(txid.replace(/^0x/u, "")), vout });
    const requireUnspent = async (stated: SpentOutput): Promise<void> => {
      const { value, address } = stated;
      const { txid: id, vout } = outpointOf(stated);
      const at = `${id}:${vout}`;
      const [transaction, isSpent] = await Promise.all([transactions.read(id), reader.isSpent({ txid: id, vout })]);
      const output = transaction?.outputs[vout];
      requireAttested(output !== undefined, `Missing output ${at}`);
      requireAttested(
        output.amount.toString() === value,
        `Output ${at} has ${output.amount} satoshis instead of ${value}`,
      );
      requireAttested(output.script === bitcoinScript(address, "address"), `Output ${at} does not pay ${address}`);
      requireAttested(!isSpent, `Output ${at} is spent`);
    };

    return {
      readDeposits: async (request) => ({ deposits: await readDeposits(request), mode: "slow" }),
      async readPayment({ transactionId, orderId, deadline, recipient, currency }) {
        const transaction = await transactions.read(toTxid(transactionId));
        requireAttested(transaction !== undefined, `Transaction ${transactionId} not found`);
        const { outputs, block } = transaction;
        requireAttested(block.time <= deadline, `Transaction ${transactionId} executed after deadline`);
        const isOfOrder = outputs.some(({ script }) => carriedText(script) === orderId);
        requireAttested(isOfOrder, `Transaction ${transactionId} does not reference order id`);
        const isNative = currency === BITCOIN_CODEC.nativeCurrency;
        return isNative ? paidTo(outputs, BITCOIN_CODEC.encodeAddress(recipient, "recipient")) : 0n;
      },
      async requireUnspent(outputs) {
        const ids = outputs.map(outpointOf).map(({ txid, vout }) => `${txid}:${vout}`);
        const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
        requireAttested(repeated === undefined, `Output ${repeated} is listed twice`);
        await readInTens(outputs, requireUnspent);
      },
      ...withoutCalls("bitcoin-vm"),
      decodeWithdrawal,
      readWithdrawalStatus: (withdrawal, hints) => {
        requireAttested(depository !== undefined, "Chain has no depository configured");
        const depositories = [depository, ...additionalDepositories].map((one) => bitcoinScript(one, "depository"));
        return readWithdrawalStatus({ reader, transactions, depositories }, withdrawal, hints);
      },
      probe: () => reader.height(),
      close: () => rpc.close(),
    };
  },
};

/** @throws {@link InvalidInputError} if the id is not a hash */
function toTxid(transactionId: string): string {
  return BITCOIN_CODEC.decodeTransactionId(BITCOIN_CODEC.encodeTransactionId(transactionId, "transactionId"));
}

function checkSettings(settings: AdditionalData, report: ReportSetting, warn: ReportSetting): void {
  refuseFastMode("bitcoin-vm", settings, report);
  const { esploraCompatibleApiUrl, maestroApiKey, blockstreamClientId, blockstreamClientSecret } = settings;
  for (const [setting, other, isMissing] of [
    ["blockstreamClientId", "blockstreamClientSecret", blockstreamClientSecret === undefined],
    ["blockstreamClientSecret", "blockstreamClientId", blockstreamClientId === undefined],
    ["blockstreamClientId", "esploraCompatibleApiUrl", esploraCompatibleApiUrl === undefined],
    ["maestroApiKey", "esploraCompatibleApiUrl", esploraCompatibleApiUrl === undefined],
  ] as const) {
    if (settings[setting] !== undefined && isMissing) {
      warn(setting, `it has no effect without ${other}`, `Set ${other}.`);
    }
  }
  if (maestroApiKey !== undefined && blockstreamClientId !== undefined) {
    warn("blockstreamClientId", "it has no effect, because maestroApiKey is set", "Leave one of them out.");
  }
}
