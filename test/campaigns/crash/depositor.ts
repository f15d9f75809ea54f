import { createWalletClient, encodeFunctionData, type Hex, http, maxUint256, zeroAddress } from "viem";
import { getTransactionCount, sendTransaction, waitForTransactionReceipt, writeContract } from "viem/actions";

import { depositoryAbi } from "../../../packages/protocol/src/abi/depository.generated.ts";
import { DEPOSITORY_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/index.ts";
import type { CampaignNetwork, CampaignOrder } from "./orders.ts";

/** The user of all requests. Pays on the origin chain even while the service is down. */
export interface Depositor {
  deposit(order: CampaignOrder): Promise<Hex>;
  /** Waits until every deposit is mined. */
  settle(): Promise<void>;
}

/** Gives the user dollars, and the depository an allowance for them. */
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
            args: [zeroAddress, inputCurrency, deposited, orderId],
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
