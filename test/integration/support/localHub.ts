import { type Address, BaseError, ContractFunctionRevertedError, encodeFunctionData, type Hex } from "viem";
import { readContract, sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { decodeEvmWithdrawal, toVerifierCall } from "../../../packages/sdk/src/attestation.ts";
import type { SignedExecution } from "../../../packages/protocol/src/attestation/messages/parts.ts";
import { localHubAbi } from "../../../packages/crosscall/src/abi/localHub.generated.ts";
import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localNodeRequest } from "../../../packages/crosscall/src/localnet/devchain/node.ts";
import type { Localnet, LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { signWithdrawal } from "./executeWithdrawal.ts";
import { failureOf } from "./failureOf.ts";
import type { TestTransaction } from "./oracleNetwork.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

/** Oracle signature, as in responses. */
export interface RespondedSignature {
  readonly oracleSigner: string;
  readonly signature: string;
}

/** Sorts signatures by signer in ascending order, as the hub requires. */
export function inHubOrder(signatures: readonly RespondedSignature[]) {
  return signatures
    .map(({ oracleSigner, signature }) => ({ signer: oracleSigner as Address, signature: signature as Hex }))
    .toSorted((a, b) => (a.signer < b.signer ? -1 : 1));
}

/** Sends a transaction from the user or another account, and waits until it is mined. */
export async function sendOn(chain: LocalnetChain, network: Localnet, transaction: TestTransaction): Promise<Hex> {
  const client = chainClient(chain.id, chain.rpcUrl, network.accounts.user);
  const hash = await sendTransaction(client, { account: network.accounts.user, ...transaction });
  const { status } = await waitForTransactionReceipt(client, { hash });
  if (status !== "success") throw new Error(`transaction ${hash} reverted`);
  return hash;
}

/** Helpers for the hub of a local network. */
export function openLocalHub(network: Localnet) {
  const [chain] = network.chains;
  const address = network.oracle!.hub.oracleAddress;
  const client = chainClient(chain.id, chain.rpcUrl, network.accounts.user);
  const contract = { address, abi: localHubAbi } as const;
  const send = (data: Hex): Promise<Hex> => sendOn(chain, network, { to: address, data });
  return {
    address,
    contract,
    client,
    send,
    /** Executes the execution that the oracles signed. */
    execute(execution: SignedExecution | undefined): Promise<Hex> {
      if (execution === undefined) throw new Error("nothing was signed");
      const args = toVerifierCall(execution);
      return send(encodeFunctionData({ abi: localHubAbi, functionName: "execute", args }));
    },
    /** Mines a block with a timestamp that is this many seconds later. */
    async passTime(seconds: number): Promise<void> {
      await localNodeRequest(client, "evm_increaseTime", [seconds]);
      await localNodeRequest(client, "evm_mine", []);
    },
    balanceOf: (account: Address, tokenId: bigint): Promise<bigint> =>
      readContract(client, { ...contract, functionName: "balanceOf", args: [account, tokenId] }),
    payloadOf: (requestHash: Hex): Promise<Hex> =>
      readContract(client, { ...contract, functionName: "payloads", args: [requestHash] }),
  };
}

export type LocalHub = ReturnType<typeof openLocalHub>;

/**
 * Signs a payload as the depository's allocator. Computes the hash from the fields rather than reading it from the
 * hub.
 */
export function signPayload(network: Localnet, chainId: number, payload: Hex): Promise<Hex> {
  const [chain] = network.chains;
  const client = chainClient(chainId, chain.rpcUrl);
  return signWithdrawal(client, chainId, chain.contracts.depository, decodeEvmWithdrawal(payload));
}

/** Pays out a signed payload. */
export function payOut(network: Localnet, chain: LocalnetChain, payload: Hex, signature: Hex): Promise<Hex> {
  const args = [decodeEvmWithdrawal(payload), signature] as const;
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: "execute", args });
  return sendOn(chain, network, { to: chain.contracts.depository, data });
}

/** Returns the name of the error with which a contract call reverts. */
export async function revertOf(call: Promise<unknown>): Promise<string | undefined> {
  const error = await failureOf(call);
  if (!(error instanceof BaseError)) throw error;
  const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  return reverted instanceof ContractFunctionRevertedError ? reverted.data?.errorName : undefined;
}
