import * as Type from "typebox";
import { Compile } from "typebox/compile";
import { type Hex, zeroHash } from "viem";

import { onchainId } from "@crosscall/protocol/attestation";
import { HYPERLIQUID_CODEC } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import { createChainRpc } from "../../rpc/chainRpc.ts";
import { rejectFastMode, rejectGenesisHash, requireNoDeposit, withoutCalls } from "../rules.ts";
import { createReadFinal, readCachesOf } from "../readFinal.ts";
import type { Deposit, DepositsRequest, Settlement, SettlementRequest, VmChain, VmFamily } from "../vmChain.ts";
import { amountOf, currencyOf, type NonceMapping, readNonceMapping } from "./transfers.ts";
import {
  createExplorerEndpoint,
  createHyperliquidReader,
  createInfoEndpoint,
  createProxyEndpoint,
  type ExchangeTransaction,
  type ExchangeTransfer,
  explorerHost,
} from "./hyperliquidReader.ts";
import { decodeWithdrawal, readWithdrawalStatus } from "./withdrawals.ts";

/** Time after a deposit within which its mapping can be created. */
const MAPPING_SECONDS = 3_600;

const hintsCheck = Compile(
  Type.Object({ "hyperliquid-vm": Type.Object({ user: Type.String(), timestamp: Type.Number() }) }),
);

/** Id of an unknown token, with which a probe reads the list of tokens. */
const NO_TOKEN = "0x";

export const HYPERLIQUID_VM: VmFamily = {
  vmType: "hyperliquid-vm",
  needsMapping: true,
  // Compares the explorers, because different API hosts can share one explorer.
  providerUrl: explorerHost,
  checkSettings(settings, report, warn) {
    rejectFastMode("hyperliquid-vm", settings, report);
    rejectGenesisHash(settings, report, "Omit it.");
    if (settings.proxyApiKey !== undefined && settings.proxyApiUrl === undefined) {
      warn("proxyApiKey", "the setting has no effect without proxyApiUrl", "Set proxyApiUrl.");
    }
  },
  open(options, { clock, observer, hub }): VmChain {
    const { id, rpcUrls, depository, additionalDepositories = [], additionalData } = options;
    const { rpcAgreement: agreement = 1 } = additionalData;
    // Does not count the proxy, which reads the first explorer and would always agree with it.
    const proxy = agreement > 1 ? undefined : createProxyEndpoint(rpcUrls[0] ?? "", additionalData);
    const join = (endpoints: Parameters<typeof createChainRpc>[0]["endpoints"]) =>
      createChainRpc({ chainId: id, endpoints, agreement, observer, clock });
    const info = join(rpcUrls.map(createInfoEndpoint));
    const explorer = join([...rpcUrls.map(createExplorerEndpoint), ...(proxy === undefined ? [] : [proxy])]);
    const reader = createHyperliquidReader(info, explorer);
    const configured = depository === undefined ? [] : [depository, ...additionalDepositories];
    const depositories = configured.map((address) => address.toLowerCase() as Hex);
    const createCache = readCachesOf(additionalData, clock);
    const readFinal = createReadFinal<Hex, ExchangeTransaction>(createCache);
    const settled = createCache<string, readonly Deposit[]>();

    // Transactions on the exchange are always final.
    const readTransaction = (transactionId: string, hints?: unknown): Promise<ExchangeTransaction | undefined> => {
      const hash = HYPERLIQUID_CODEC.encodeTransactionId(transactionId, "transactionId");
      return readFinal(hash, async () => {
        const hint = hintsCheck.Check(hints) ? hints["hyperliquid-vm"] : undefined;
        const byLedger = hint === undefined ? undefined : await reader.ledgerTransfer(hash, hint);
        const found = byLedger ?? (await reader.transaction(hash));
        return found === undefined ? undefined : { found, isFinal: true };
      });
    };

    /** Fails while a mapping can still be created. */
    const readDepositMapping = async (sender: Hex, nonce: number, time: number): Promise<NonceMapping | undefined> => {
      const mapping = await readNonceMapping(hub, id, { sender, nonce });
      const latest = time + MAPPING_SECONDS * 1000;
      if (mapping !== undefined) return mapping.createdAt * 1000 > latest ? undefined : mapping;
      const message = `No nonce mapping found for nonce ${nonce} and depositor ${sender}`;
      requireAttested(clock.now() > latest, message);
      return undefined;
    };

    const depositsOf = async (transactionId: string): Promise<readonly Deposit[]> => {
      const transaction = await readTransaction(transactionId);
      requireAttested(transaction !== undefined, `Missing transaction ${transactionId} on chain ${id}`);
      requireAttested(transaction.isSuccess, `Transaction failed: ${transactionId}`);
      requireAttested(depositories.length > 0, "Chain has no depository configured");
      const { sender, time, transfer } = transaction;
      // A depository's transfer between its own markets is not a deposit.
      const isDeposit = transfer?.destination !== sender && depositories.includes(transfer?.destination ?? "0x");
      if (transfer === undefined || !isDeposit) return [];
      const currency = currencyOf(transfer);
      requireAttested(currency !== undefined, "Only USDC is supported as a Perps token");
      const amount = await amountOf(reader, transfer);
      const mapping = await readDepositMapping(sender, transfer.nonce, time);
      return [
        {
          onchainId: onchainId(id, transactionId, 0),
          place: transactionId.toLowerCase(),
          depository: transfer.destination,
          depositId: mapping?.id ?? zeroHash,
          depositor: mapping?.depositor ?? sender,
          currency,
          amount,
          timestamp: Math.floor(time / 1000),
        },
      ];
    };

    const readDeposits = async ({ transactionId }: DepositsRequest): Promise<readonly Deposit[]> => {
      const deposits = settled.get(transactionId) ?? (await depositsOf(transactionId));
      settled.set(transactionId, deposits);
      return deposits;
    };

    const readSettlement = async (request: SettlementRequest): Promise<Settlement> => {
      const { transactionId, orderId, deadline, hints } = request;
      const transaction = await readTransaction(transactionId, hints);
      requireAttested(transaction?.isSuccess === true, `Missing or reverted transaction ${transactionId}`);
      const { sender, time, transfer } = transaction;
      requireAttested(Math.floor(time / 1000) <= deadline, `Transaction ${transactionId} executed after deadline`);
      requireAttested(transfer !== undefined, "Could not detect payment");
      const { nonce } = transfer;
      const mapping = await readNonceMapping(hub, id, { sender, nonce });
      requireAttested(mapping?.id === orderId, `Nonce mapping mismatch for nonce ${nonce} and sender ${sender}`);
      const place = transactionId.toLowerCase();
      return {
        place,
        depositedInto: depositories.find((address) => address === transfer.destination),
        async paidTo({ recipient, currency }) {
          requireNoDeposit(transactionId, recipient, depositories.includes(recipient.toLowerCase() as Hex));
          requireAttested(pays(transfer, recipient, currency), "Could not detect payment");
          return { place: `${place}:${recipient.toLowerCase()}`, amount: await amountOf(reader, transfer) };
        },
        ...withoutCalls("hyperliquid-vm"),
      };
    };

    return {
      readDeposits: async (request) => ({ deposits: await readDeposits(request), mode: "slow" }),
      readSettlement,
      decodeWithdrawal,
      readWithdrawalStatus: (withdrawal, hints) =>
        readWithdrawalStatus({ chainId: id, reader, depositories }, withdrawal, hints),
      // The probe does not use the explorer, which has low rate limits and is not needed for requests with hints.
      probe: () => reader.decimalsOf(NO_TOKEN),
      // The chain is not checked, because the exchange's API does not return it.
      checkChain: () => Promise.resolve(),
      close() {
        info.close();
        explorer.close();
      },
    };
  },
};

function pays(transfer: ExchangeTransfer, recipient: string, currency: string): boolean {
  return transfer.destination === recipient.toLowerCase() && currencyOf(transfer) === currency.toLowerCase();
}
