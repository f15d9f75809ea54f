import { type Address, type Client, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { getCode } from "viem/actions";

import { BATCH_EXECUTOR_ABI, BATCH_EXECUTOR_ADDRESS } from "@crosscall/protocol/chains";

const GET_NONCE = { abi: BATCH_EXECUTOR_ABI, functionName: "getSeq" } as const;

/**
 * The next nonce of an account's batches. An account that delegated to the executor before keeps its nonces, so the executor's code is
 * put at its address for the call. Nodes without state overrides show them only while the account delegates.
 */
export async function readBatchNonce(client: Client, account: Address, isDelegated: boolean): Promise<bigint> {
  const call = { to: account, data: encodeFunctionData({ ...GET_NONCE, args: [0n] }) };
  const read = (result: Hex): bigint => decodeFunctionResult({ ...GET_NONCE, data: result });
  if (isDelegated) return read(await client.request({ method: "eth_call", params: [call, "latest"] }));
  const code = await getCode(client, { address: BATCH_EXECUTOR_ADDRESS });
  if (code === undefined) return 0n;
  try {
    return read(await client.request({ method: "eth_call", params: [call, "latest", { [account]: { code } }] }));
  } catch {
    return 0n;
  }
}
