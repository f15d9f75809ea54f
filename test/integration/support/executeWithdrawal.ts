import { type Address, type Client, encodeFunctionData, type Hex } from "viem";
import { signTypedData } from "viem/actions";

import { CALL_REQUEST_TYPES } from "../../../packages/protocol/src/attestation/evmWithdrawal.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { OracleNetwork } from "./oracleNetwork.ts";
import type { EvmWithdrawal } from "../../../packages/protocol/src/attestation/index.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

/** Signs a withdrawal as the depository's allocator. */
export function signWithdrawal(
  client: Client,
  chainId: number,
  depository: Address,
  withdrawal: EvmWithdrawal,
): Promise<Hex> {
  return signTypedData(client, {
    account: localAccounts.allocator,
    domain: { name: "RelayDepository", version: "1", chainId, verifyingContract: depository },
    types: CALL_REQUEST_TYPES,
    primaryType: "CallRequest",
    message: withdrawal,
  });
}

/** Pays out a withdrawal from the depository, with the allocator's signature. */
export async function executeWithdrawal(network: OracleNetwork, withdrawal: EvmWithdrawal): Promise<Hex> {
  const { depository } = network.contracts;
  const signature = await signWithdrawal(network.client, 31_337, depository, withdrawal);
  return network.send({
    to: depository,
    data: encodeFunctionData({ abi: depositoryAbi, functionName: "execute", args: [withdrawal, signature] }),
  });
}
