import {
  type Address,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  type LocalAccount,
  parseAbi,
  parseSignature,
} from "viem";

import { PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import { localDollarAbi } from "../../abi/localDollar.generated.ts";
import type { DevChain, EvmCall } from "../devchain/devChain.ts";
import { findToken } from "../devchain/tokens.ts";

export interface TokenPaymentParameters {
  readonly chain: Pick<DevChain, "contracts" | "id" | "tokens">;
  readonly solver: LocalAccount;
  readonly token: Address;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly orderId: Hex;
  /** Unix seconds. */
  readonly deadline: bigint;
}

/**
 * Transfers the solver's tokens to the router within the fill, so that no tokens or allowance remain on the public
 * router. Uses EIP-3009, or Permit2 if the token does not support EIP-3009. The orderId is the nonce, so an order is
 * paid at most once.
 */
export function signTokenPayment(parameters: TokenPaymentParameters): Promise<EvmCall> {
  const { chain, token } = parameters;
  const { name, permit } = findToken(chain.tokens, token) ?? {};
  return name !== undefined && permit?.kind === "eip3009"
    ? signAuthorization(parameters, { name, version: permit.version })
    : signPermit2(parameters);
}

async function signAuthorization(
  { chain, solver, token, amount, orderId, deadline }: TokenPaymentParameters,
  domain: { readonly name: string; readonly version: string },
): Promise<EvmCall> {
  const message = {
    from: solver.address,
    to: chain.contracts.router,
    value: amount,
    validAfter: 0n,
    validBefore: deadline,
    nonce: orderId,
  };
  const signature = parseSignature(
    await solver.signTypedData({
      domain: { ...domain, chainId: chain.id, verifyingContract: token },
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

const PERMIT2_ABI = parseAbi([
  "function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes signature)",
]);

/** Signs a Permit2 transfer. Permit2 already has an allowance for the solver's tokens. */
async function signPermit2({
  chain,
  solver,
  token,
  amount,
  orderId,
  deadline,
}: TokenPaymentParameters): Promise<EvmCall> {
  const { router } = chain.contracts;
  const permit = { permitted: { token, amount }, nonce: hexToBigInt(orderId), deadline };
  const signature = await solver.signTypedData({
    domain: { name: "Permit2", chainId: chain.id, verifyingContract: PERMIT2_ADDRESS },
    types: {
      PermitTransferFrom: [
        { name: "permitted", type: "TokenPermissions" },
        { name: "spender", type: "address" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
      ],
      TokenPermissions: [
        { name: "token", type: "address" },
        { name: "amount", type: "uint256" },
      ],
    },
    primaryType: "PermitTransferFrom",
    message: { ...permit, spender: router },
  });
  const args = [permit, { to: router, requestedAmount: amount }, solver.address, signature] as const;
  const data = encodeFunctionData({ abi: PERMIT2_ABI, functionName: "permitTransferFrom", args });
  return { to: PERMIT2_ADDRESS, data, value: 0n };
}
