import { type Address, decodeFunctionData, type Hex } from "viem";
import { entryPoint07Abi } from "viem/account-abstraction";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { DevChain } from "../../devchain/devChain.ts";
import type { StoredCall } from "../../store/executions.ts";

/** Number of blocks to search before a failed call. The call worked when it was posted. */
const LOOK_BACK_BLOCKS = 100n;

export interface FailedCall {
  readonly call: Pick<StoredCall, "data" | "to">;
  readonly user: string;
  readonly blockNumber: bigint;
}

/**
 * Finds the transaction of another account that ran a user's call first and made the service's call fail. Finds a user
 * operation in any bundle, and another call only in an identical transaction.
 */
export async function findRival(chain: DevChain, failed: FailedCall): Promise<Hex | undefined> {
  const { blockNumber } = failed;
  const fromBlock = blockNumber > LOOK_BACK_BLOCKS ? blockNumber - LOOK_BACK_BLOCKS : 0n;
  return isSameAddress(failed.call.to, chain.contracts.entryPoint)
    ? findOperation(chain, failed, fromBlock)
    : findCopy(chain, failed, fromBlock);
}

async function findOperation(
  { client, contracts: { entryPoint } }: DevChain,
  { call, user, blockNumber }: FailedCall,
  fromBlock: bigint,
): Promise<Hex | undefined> {
  const operations = readOperations(call.data as Hex);
  const own = operations.find(({ sender }) => isSameAddress(sender, user)) ?? operations[0];
  if (own === undefined) return undefined;
  const contract = { address: entryPoint, abi: entryPoint07Abi };
  const userOpHash = await client.readContract({ ...contract, functionName: "getUserOpHash", args: [own] });
  const [event] = await client.getContractEvents({
    ...contract,
    eventName: "UserOperationEvent",
    args: { userOpHash },
    fromBlock,
    toBlock: blockNumber,
  });
  return event?.transactionHash;
}

function readOperations(data: Hex) {
  try {
    const { functionName, args } = decodeFunctionData({ abi: entryPoint07Abi, data });
    return functionName === "handleOps" ? args[0] : [];
  } catch {
    return [];
  }
}

async function findCopy(
  { client }: DevChain,
  { call, blockNumber }: FailedCall,
  fromBlock: bigint,
): Promise<Hex | undefined> {
  const isCopy = ({ to, input }: { readonly to: Address | null; readonly input: Hex }): boolean =>
    to !== null && isSameAddress(to, call.to) && input.toLowerCase() === call.data.toLowerCase();
  for (let number = blockNumber; number >= fromBlock; number -= 1n) {
    const { transactions } = await client.getBlock({ blockNumber: number, includeTransactions: true });
    for (const { hash } of transactions.filter(isCopy)) {
      const { status } = await client.getTransactionReceipt({ hash });
      if (status === "success") return hash;
    }
  }
  return undefined;
}
