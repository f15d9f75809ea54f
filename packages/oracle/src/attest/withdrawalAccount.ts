import type { Address } from "viem";

import { hubTokenId, withdrawalAddress, type WithdrawalAddressRequest } from "@crosscall/protocol/attestation";
import type { OracleContext } from "../oracleContext.ts";
import { depositoryOf } from "./depositoryOf.ts";

export interface WithdrawalAccount {
  /** Holds the balance that is being withdrawn. */
  readonly address: Address;
  /** The withdrawer's account. */
  readonly ownerAlias: Address;
  readonly tokenId: bigint;
  /** As in the configuration. */
  readonly depository: string;
}

/** @throws {@link AttestationRefusedError} if a chain is not available, or has no such depository */
export function withdrawalAccountOf(
  { chains }: OracleContext,
  request: WithdrawalAddressRequest & { readonly depository?: string },
): WithdrawalAccount {
  const { chainId, currency, withdrawer, withdrawerChainId, recipient, withdrawalNonce } = request;
  const chain = chains.get(chainId);
  const { codec } = chain;
  const depository = depositoryOf(chain, request.depository);
  const ownerAlias = chains.alias(withdrawerChainId, withdrawer);
  const encodedCurrency = codec.encodeAddress(currency, "currency");
  return {
    address: withdrawalAddress({
      chainId,
      currency: encodedCurrency,
      ownerAlias,
      nonce: BigInt(withdrawalNonce),
      depository: codec.encodeAddress(depository, "depository"),
      recipient: codec.encodeAddress(recipient, "recipient"),
    }),
    ownerAlias,
    tokenId: hubTokenId(chainId, encodedCurrency),
    depository,
  };
}
