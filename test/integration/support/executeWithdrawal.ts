import { encodeFunctionData, type Hex } from "viem";
import { signTypedData } from "viem/actions";

import { depositoryAbi } from "../../../sdk/src/abi/depository.generated.ts";
import type { EvmWithdrawal } from "../../../sdk/src/attestation.ts";
import { localAccounts } from "../../../src/devchain/accounts.ts";
import type { OracleNetwork } from "./oracleNetwork.ts";

/** Pays out a withdrawal from the depository, with its allocator's signature. */
export async function executeWithdrawal(network: OracleNetwork, withdrawal: EvmWithdrawal): Promise<Hex> {
  const { depository } = network.contracts;
  const signature = await signTypedData(network.client, {
    account: localAccounts.allocator,
    domain: { name: "RelayDepository", version: "1", chainId: 31_337, verifyingContract: depository },
    types: {
      CallRequest: [
        { name: "calls", type: "Call[]" },
        { name: "nonce", type: "uint256" },
        { name: "expiration", type: "uint256" },
      ],
      Call: [
        { name: "to", type: "address" },
        { name: "data", type: "bytes" },
        { name: "value", type: "uint256" },
        { name: "allowFailure", type: "bool" },
      ],
    },
    primaryType: "CallRequest",
    message: withdrawal,
  });
  return network.send({
    to: depository,
    data: encodeFunctionData({ abi: depositoryAbi, functionName: "execute", args: [withdrawal, signature] }),
  });
}
