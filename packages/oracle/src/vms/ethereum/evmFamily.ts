import { openChainRpc } from "../../rpc/chainRpc.ts";
import { blockHash, evmIdentity, genesisIdentity } from "../chainIdentity.ts";
import { readCachesOf } from "../readFinal.ts";
import { rejectGenesisHash } from "../rules.ts";
import type { DepositsResponse, VmChain, VmChainOptions, VmFamily, VmTools } from "../vmChain.ts";
import { ETHEREUM_DIALECT, type EvmChain, type EvmDialect } from "./dialect.ts";
import { createEvmReader } from "./evmReader.ts";
import { decodeWithdrawal, readDeposits, readSettlement, readWithdrawalStatus } from "./reads.ts";
import { createTransactions, finalityOf } from "./transactions.ts";

export function evmFamily(dialect: EvmDialect): VmFamily {
  const { vmType } = dialect;
  return {
    vmType,
    checkSettings(settings, report) {
      if (vmType === "ethereum-vm")
        rejectGenesisHash(settings, report, "Set hubChainId to the chain id that the endpoints report.");
    },
    open: (options, tools) => openEvmChain(dialect, options, tools),
  };
}

function openEvmChain(dialect: EvmDialect, options: VmChainOptions, tools: VmTools): VmChain {
  const { id, rpcUrls, additionalData } = options;
  const identity =
    dialect.vmType === "ethereum-vm"
      ? evmIdentity(options.hubChainId)
      : genesisIdentity(additionalData, { method: "eth_getBlockByNumber", params: ["0x0", false] }, blockHash);
  const rpc = openChainRpc(id, rpcUrls, additionalData, tools, identity);
  const sent = dialect.openSent?.(options, tools);
  const reader = { ...createEvmReader(rpc), ...(sent === undefined ? {} : { transaction: sent.transaction }) };
  const finality = finalityOf(additionalData);
  const { clock } = tools;
  const createCache = readCachesOf(additionalData, clock);
  const transactions = createTransactions({ chainId: id, reader, clock, finality, createCache });
  const { additionalDepositories = [] } = options;
  const configured = options.depository === undefined ? [] : [options.depository, ...additionalDepositories];
  const depositories = configured.map((address) => dialect.toEvm(address, "depository"));
  const [depository] = depositories;
  const chain: EvmChain = { dialect, options, reader, transactions, finality, depository, depositories };
  const finalDeposits = createCache<string, DepositsResponse>();
  return {
    async readDeposits(request) {
      // In fast mode, the response depends only on the amounts, not on earlier requests.
      if (request.mode === "fast") return readDeposits(chain, request);
      const cached = finalDeposits.get(request.transactionId);
      if (cached !== undefined) return cached;
      const answer = await readDeposits(chain, request);
      finalDeposits.set(request.transactionId, answer);
      return answer;
    },
    readSettlement: (request) => readSettlement(chain, request),
    decodeWithdrawal: (payload) => decodeWithdrawal(dialect, payload),
    readWithdrawalStatus: (withdrawal, hints) => readWithdrawalStatus(chain, withdrawal, hints),
    probe: () => Promise.all([rpc.checkChain(), reader.latest()]),
    checkChain: () => rpc.checkChain(),
    close() {
      rpc.close();
      sent?.close();
    },
  };
}

export const ETHEREUM_VM = evmFamily(ETHEREUM_DIALECT);
