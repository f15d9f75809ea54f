import { type Address, type Hex, type LocalAccount, encodeFunctionData, parseSignature } from "viem";
import { readContract } from "viem/actions";

import { localDollarAbi } from "../../abi/localDollar.generated.ts";
import type { ChainClient } from "../devchain/chainClient.ts";
import type { EvmCall } from "../devchain/devChain.ts";

export interface TokenPaymentParameters {
  readonly client: ChainClient;
  readonly solver: LocalAccount;
  readonly router: Address;
  readonly token: Address;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly orderId: Hex;
  /** Unix seconds. */
  readonly deadline: bigint;
}

/**
 * Moves the solver's tokens to the router within the fill (EIP-3009), so no tokens and no allowance remain on the
 * public router. The orderId is the nonce, so the token itself pays an order at most once.
 */
export async function signTokenPayment(parameters: TokenPaymentParameters): Promise<EvmCall> {
  const { client, solver, router, token, amount, orderId, deadline } = parameters;
  const [, name, version, chainId, verifyingContract] = await readContract(client, {
    address: token,
    abi: localDollarAbi,
    functionName: "eip712Domain",
  });
  const message = {
    from: solver.address,
    to: router,
    value: amount,
    validAfter: 0n,
    validBefore: deadline,
    nonce: orderId,
  };
  const signature = parseSignature(
    await solver.signTypedData({
      domain: { name, version, chainId: Number(chainId), verifyingContract },
      types: {
        ReceiveWithAuthorization: [
          { name: "from", type: "address" },
          { name: "to", type: "address" },
          { name: "value", type: "uint256" },
          { name: "validAfter", type: "uint256" },
          { name: "validBefore", type: "uint256" },
          { name: "nonce", type: "bytes32" },
        ],
      },
      primaryType: "ReceiveWithAuthorization",
      message,
    }),
  );
  const data = encodeFunctionData({
    abi: localDollarAbi,
    functionName: "receiveWithAuthorization",
    args: [
      message.from,
      message.to,
      message.value,
      message.validAfter,
      message.validBefore,
      message.nonce,
      signature.yParity + 27,
      signature.r,
      signature.s,
    ],
  });
  return { to: token, data, value: 0n };
}
