import { bitcoinScript, onchainId } from "@crosscall/protocol/attestation";
import { BITCOIN_CODEC } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { AdditionalData } from "../../chainFiles.ts";
import { genesisIdentity } from "../chainIdentity.ts";
import { isSameUrl } from "../../rpc/httpClient.ts";
import { createChainRpc } from "../../rpc/chainRpc.ts";
import { rejectFastMode, requireNoDeposit, requireOnlyOrder, withoutCalls } from "../rules.ts";
import { readInTens } from "../../readInTens.ts";
import { readCachesOf } from "../readFinal.ts";
import type {
  Deposit,
  DepositsRequest,
  ReportSetting,
  Settlement,
  SettlementRequest,
  SpentOutput,
  VmChain,
  VmFamily,
} from "../vmChain.ts";
import { type BitcoinOutpoint, createBitcoinReader, createBitcoinTransactions, parseSpender } from "./bitcoinReader.ts";
import { createCoreEndpoint, createEsploraEndpoint, genesisHashOf } from "./endpoints.ts";
import { findDeposit, namedOrders, paidTo } from "./deposits.ts";
import { decodeWithdrawal, readExecutedId, readWithdrawalStatus } from "./withdrawals.ts";

const NATIVE = BITCOIN_CODEC.encodeAddress(BITCOIN_CODEC.nativeCurrency, "currency");

/** Default number of confirmations that make a transaction final. */
const DEFAULT_CONFIRMATIONS = 2;

export const BITCOIN_VM: VmFamily = {
  vmType: "bitcoin-vm",
  furtherUrls: ({ esploraCompatibleApiUrl }): Readonly<Record<string, string>> =>
    esploraCompatibleApiUrl === undefined ? {} : { esploraCompatibleApiUrl },
  checkSettings,
  open({ id, rpcUrls, depository, additionalDepositories = [], additionalData }, { clock, observer }): VmChain {
    const { esploraCompatibleApiUrl: esploraUrl, rpcAgreement = 1, rpcBatchSize } = additionalData;
    const esplora = esploraUrl === undefined ? [] : [createEsploraEndpoint(esploraUrl, additionalData, clock)];
    const endpoints = [
      ...rpcUrls.filter((url) => !isSameUrl(url, esploraUrl ?? "")).map((url) => createCoreEndpoint(url, rpcBatchSize)),
      ...esplora,
    ];
    const identity = genesisIdentity(additionalData, { method: "genesis", params: [] }, genesisHashOf);
    const rpc = createChainRpc({ chainId: id, endpoints, agreement: rpcAgreement, observer, clock, identity });
    const explorer =
      esplora.length === 0
        ? undefined
        : createChainRpc({ chainId: id, endpoints: esplora, agreement: 1, observer, clock, identity });
    const reader = createBitcoinReader(rpc);
    const transactions = createBitcoinTransactions(
      reader,
      additionalData.finalizationBlocks ?? DEFAULT_CONFIRMATIONS,
      readCachesOf(additionalData, clock),
    );

    const accounts = (depository === undefined ? [] : [depository, ...additionalDepositories]).map((address) =>
      BITCOIN_CODEC.encodeAddress(address, "depository"),
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
          place: toTxid(transactionId),
          depositId,
          ...deposit,
          currency: BITCOIN_CODEC.nativeCurrency,
          timestamp: transaction.block.time,
        },
      ];
    };

    const readSettlement = async (request: SettlementRequest): Promise<Settlement> => {
      const { transactionId, orderId, deadline } = request;
      const txid = toTxid(transactionId);
      const transaction = await transactions.read(txid);
      requireAttested(transaction !== undefined, `Transaction ${transactionId} not found`);
      const { outputs, block } = transaction;
      requireAttested(block.time <= deadline, `Transaction ${transactionId} executed after deadline`);
      requireOnlyOrder(transactionId, orderId, namedOrders(outputs));
      const funded = accounts.find((account) => paidTo(outputs, account) > 0n);
      const spent = funded === undefined ? [] : await transactions.readSpent(transaction);
      const isWithdrawal = accounts.some((account) => paidTo(spent, account) > 0n);
      return {
        place: txid,
        depositedInto: funded === undefined || isWithdrawal ? undefined : BITCOIN_CODEC.decodeAddress(funded),
        paidTo({ recipient, currency }) {
          const account = BITCOIN_CODEC.encodeAddress(recipient, "recipient");
          requireNoDeposit(transactionId, recipient, accounts.includes(account));
          const isNative = BITCOIN_CODEC.encodeAddress(currency, "currency") === NATIVE;
          return { place: `${txid}:${account}`, amount: isNative ? paidTo(outputs, account) : 0n };
        },
        ...withoutCalls("bitcoin-vm"),
      };
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

    const findSpender = ({ txid, vout }: BitcoinOutpoint): Promise<string | undefined> =>
      explorer === undefined ? Promise.resolve(undefined) : explorer.read("outspend", [txid, vout], parseSpender);
    const withdrawalSource = () => {
      requireAttested(depository !== undefined, "Chain has no depository configured");
      const depositories = [depository, ...additionalDepositories].map((one) => bitcoinScript(one, "depository"));
      return { reader, transactions, depositories, findSpender };
    };

    return {
      readDeposits: async (request) => ({ deposits: await readDeposits(request), mode: "slow" }),
      readSettlement,
      async requireUnspent(outputs) {
        const ids = outputs.map(outpointOf).map(({ txid, vout }) => `${txid}:${vout}`);
        const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
        requireAttested(repeated === undefined, `Output ${repeated} is listed twice`);
        await readInTens(outputs, requireUnspent);
      },
      decodeWithdrawal,
      readWithdrawalStatus: async (withdrawal, hints) => readWithdrawalStatus(withdrawalSource(), withdrawal, hints),
      readExecutedId: async (withdrawal, hints) => readExecutedId(withdrawalSource(), withdrawal, hints),
      probe: () => Promise.all([rpc.checkChain(), reader.height()]),
      checkChain: () => rpc.checkChain(),
      close: () => rpc.close(),
    };
  },
};

/** @throws {@link InvalidInputError} if the id is not a hash */
function toTxid(transactionId: string): string {
  return BITCOIN_CODEC.decodeTransactionId(BITCOIN_CODEC.encodeTransactionId(transactionId, "transactionId"));
}

function checkSettings(settings: AdditionalData, report: ReportSetting, warn: ReportSetting): void {
  rejectFastMode("bitcoin-vm", settings, report);
  const { esploraCompatibleApiUrl, maestroApiKey, blockstreamClientId, blockstreamClientSecret } = settings;
  for (const [setting, other, isMissing] of [
    ["blockstreamClientId", "blockstreamClientSecret", blockstreamClientSecret === undefined],
    ["blockstreamClientSecret", "blockstreamClientId", blockstreamClientId === undefined],
    ["blockstreamClientId", "esploraCompatibleApiUrl", esploraCompatibleApiUrl === undefined],
    ["maestroApiKey", "esploraCompatibleApiUrl", esploraCompatibleApiUrl === undefined],
  ] as const) {
    if (settings[setting] !== undefined && isMissing) {
      warn(setting, `the setting has no effect without ${other}`, `Set ${other}.`);
    }
  }
  if (maestroApiKey !== undefined && blockstreamClientId !== undefined) {
    warn("blockstreamClientId", "the setting has no effect, because maestroApiKey is set", "Omit one of them.");
  }
}
