import { type Address, createWalletClient, http, maxUint256, parseEther, zeroAddress } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { abortable, InvalidStateError } from "@crosscall/protocol/core";
import { planSteps, type QuoteRequest } from "@crosscall/protocol/quote/rules";
import { planCalls } from "@crosscall/sdk/calls";
import { localAccounts } from "../devchain/accounts.ts";
import { describeChain } from "../devchain/chainClient.ts";
import type { ChainContracts } from "../devchain/contracts.ts";

/** In wei. */
const AMOUNT = parseEther("0.01");

const POLL_INTERVAL_MS = 50;

/** A chain of a running network. */
export interface RunningChain {
  readonly id: number;
  readonly rpcUrl: string;
}

/**
 * Returns a quote request of the network's user: native currency on the first chain for dollars on the second.
 *
 * @param dollar address of the dollar token on the second chain
 */
export function demoRequest(originChainId: number, destinationChainId: number, dollar: Address): QuoteRequest {
  const user = localAccounts.user.address;
  return {
    user,
    recipient: user,
    refundTo: user,
    originChainId,
    destinationChainId,
    originCurrency: zeroAddress,
    destinationCurrency: dollar,
    tradeType: "EXACT_INPUT",
    amount: AMOUNT.toString(),
  };
}

/**
 * Plans calls that deposit all delivered dollars in a chain's vault, through the vault's proxy, for the network's user.
 *
 * @param amount the payment, in the origin currency's smallest unit
 * @param deadline of the vault call, in Unix seconds
 */
export function planVaultDeposit(
  { router, dollar, vaultProxy }: Pick<ChainContracts, "router" | "dollar" | "vaultProxy">,
  amount: bigint,
  deadline = maxUint256,
): ReturnType<typeof planCalls> {
  const recipient = localAccounts.user.address;
  return planCalls({
    tradeType: "EXACT_INPUT",
    router,
    destinationCurrency: dollar,
    recipient,
    amount,
    actions: [{ kind: "proxy", token: dollar, proxy: vaultProxy, recipient, deadline }],
  });
}

/**
 * Sends the transactions of a quote from the network's user account, without verification, because some scenarios need
 * a wrong deposit, which `executeSteps` rejects.
 */
export async function payQuote(
  steps: Parameters<typeof planSteps>[0],
  { originChainId, chains, signal }: { originChainId: number; chains: readonly RunningChain[]; signal: AbortSignal },
): Promise<void> {
  for (const step of planSteps(steps, originChainId)) {
    if (step.kind !== "transaction") continue;
    const { chainId, to, data, value } = step;
    const chain = chains.find(({ id }) => id === chainId);
    if (chain === undefined) {
      throw new InvalidStateError({
        message: `the network has no chain ${chainId}`,
        hint: "With --url, pass the URL of a network that `crosscall up` started.",
      });
    }
    const wallet = createWalletClient({
      account: localAccounts.user,
      chain: describeChain(chainId, chain.rpcUrl),
      transport: http(chain.rpcUrl),
      pollingInterval: POLL_INTERVAL_MS,
    });
    const hash = await sendTransaction(wallet, { to, data, value });
    await abortable(waitForTransactionReceipt(wallet, { hash }), signal, "the payment");
  }
}
