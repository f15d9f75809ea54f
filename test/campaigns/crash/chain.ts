import { type Address, createWalletClient, encodeFunctionData, type Hex, http, maxUint256, zeroAddress } from "viem";
import { getTransactionCount, sendTransaction, waitForTransactionReceipt, writeContract } from "viem/actions";

import { isSameAddress } from "../../../packages/protocol/src/chains/address.ts";
import { DEPOSITORY_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { chainClient, describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/index.ts";
import type { CampaignNetwork, CampaignOrder } from "./orders.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

/** Makes a local node mine at an interval, in seconds, instead of after each transaction. */
export async function setBlockTime(rpcUrl: string, seconds: number): Promise<void> {
  for (const [method, value] of [
    ["evm_setAutomine", false],
    ["evm_setIntervalMining", seconds],
  ] as const) {
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [value] }),
    });
    const { error } = (await response.json()) as { error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  }
}

/** Mined transaction from the solver. */
export interface SolverTransaction {
  readonly hash: Hex;
  readonly to: Address | null;
  /** Order ID that the transaction fills or refunds: the last 32 bytes of its call data. */
  readonly orderId: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Gas cost, in wei. */
  readonly fee: bigint;
  readonly works: boolean;
}

/** Reads every transaction from the solver on a chain, from the first block to the last. */
export async function readSolverTransactions(
  chainId: number,
  rpcUrl: string,
  solver: Address,
): Promise<SolverTransaction[]> {
  const client = chainClient(chainId, rpcUrl);
  const latest = await client.getBlockNumber();
  const found: SolverTransaction[] = [];
  for (let blockNumber = 0n; blockNumber <= latest; blockNumber += 1n) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
    for (const transaction of transactions.filter(({ from }) => isSameAddress(from, solver))) {
      const receipt = await client.getTransactionReceipt({ hash: transaction.hash });
      found.push({
        hash: transaction.hash,
        to: transaction.to,
        orderId: `0x${transaction.input.slice(-64)}`,
        value: transaction.value,
        fee: receipt.gasUsed * receipt.effectiveGasPrice,
        works: receipt.status === "success",
      });
    }
  }
  return found;
}

/** User that makes all requests, and pays on the origin chain even while the service is down. */
export interface Depositor {
  deposit(order: CampaignOrder): Promise<Hex>;
  /** Waits until every deposit is mined. */
  settle(): Promise<void>;
}

/** Funds the user with dollars, and approves the depository to spend them. */
export async function createDepositor(network: CampaignNetwork): Promise<Depositor> {
  const { rpcUrl } = network.origin;
  const wallet = createWalletClient({
    account: localAccounts.user,
    chain: describeChain(network.origin.id, rpcUrl),
    transport: http(rpcUrl),
    pollingInterval: 20,
  });
  const token = { address: network.origin.contracts.dollar, abi: localDollarAbi } as const;
  for (const hash of [
    await writeContract(wallet, { ...token, functionName: "mint", args: [localAccounts.user.address, 10n ** 15n] }),
    await writeContract(wallet, { ...token, functionName: "approve", args: [DEPOSITORY_ADDRESS, maxUint256] }),
  ]) {
    await waitForTransactionReceipt(wallet, { hash });
  }
  let nonce = await getTransactionCount(wallet, { address: localAccounts.user.address });
  const sent: Hex[] = [];
  return {
    async deposit({ inputCurrency, deposited, orderId }) {
      const isNative = inputCurrency === zeroAddress;
      const data = isNative
        ? encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [zeroAddress, orderId] })
        : encodeFunctionData({
            abi: depositoryAbi,
            functionName: "depositErc20",
            args: [zeroAddress, inputCurrency as Address, deposited, orderId],
          });
      const hash = await sendTransaction(wallet, {
        to: DEPOSITORY_ADDRESS,
        data,
        value: isNative ? deposited : 0n,
        nonce: nonce++,
        gas: 200_000n,
      });
      sent.push(hash);
      return hash;
    },
    async settle() {
      for (const hash of sent.splice(0)) {
        const { status } = await waitForTransactionReceipt(wallet, { hash });
        if (status !== "success") throw new Error(`deposit ${hash} reverted`);
      }
    },
  };
}
