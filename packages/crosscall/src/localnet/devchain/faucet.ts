import { type Address, isAddress } from "viem";

import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { localAccounts } from "./accounts.ts";
import { chainClient } from "./chainClient.ts";
import type { ChainControls } from "./chainControls.ts";
import { CHAIN_LIMITS } from "./chainLimits.ts";
import type { ChainContracts } from "./contracts.ts";
import { createGive, giveWrapped } from "./fundSolver.ts";
import { createMutex } from "./mutex.ts";
import type { ChainNode } from "./node.ts";
import { sendAll } from "./sendAll.ts";
import type { ChainToken } from "./chainToken.ts";
import { findCurrency } from "./tokens.ts";

export interface FaucetParameters {
  readonly chainId: number;
  readonly node: ChainNode;
  readonly contracts: ChainContracts;
  readonly tokens: readonly ChainToken[];
}

export function createFaucet({ chainId, node, contracts, tokens }: FaucetParameters): ChainControls["fund"] {
  const client = chainClient(chainId, node.rpcUrl, localAccounts.deployer, node.transport);
  const give = createGive(client);
  const runExclusive = createMutex();
  const addNative = async (account: Address, amount: bigint): Promise<void> => {
    const balance = BigInt((await node.request("eth_getBalance", [account, "latest"])) as string);
    await node.request("hardhat_setBalance", [account, `0x${(balance + amount).toString(16)}`]);
  };
  return async (account, currency, amount) => {
    if (!isAddress(account, { strict: false })) {
      throw new InvalidInputError({
        field: "address",
        value: account,
        reason: "must be an EVM address",
        hint: "Pass 20 bytes as hex with 0x.",
      });
    }
    if (amount < 1n || amount > CHAIN_LIMITS.faucetAmount) {
      throw new InvalidInputError({
        field: "amount",
        value: amount,
        reason: "must be between 1 and 10^30",
        hint: "Pass the amount in the smallest unit of the currency.",
      });
    }
    const { address: given } = findCurrency(tokens, currency);
    // Runs sequentially, because the account counts its own nonces.
    await runExclusive(async () => {
      if (isEvmNative(given)) return addNative(account, amount);
      if (!isSameAddress(given, contracts.wrappedNative)) return sendAll(client, await give(given, account, amount));
      await addNative(client.account.address, amount);
      return sendAll(client, giveWrapped(contracts, account, amount));
    });
  };
}
