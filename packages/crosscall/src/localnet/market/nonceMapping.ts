import { type Address, type Hex, recoverTypedDataAddress, zeroAddress } from "viem";

import { NONCE_MAPPING_TYPES } from "@crosscall/protocol/attestation";
import { HYPERLIQUID_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import type { Step } from "@crosscall/protocol/complete";
import type { QuoteIds } from "./quote/routes/route.ts";

/** The EIP-712 message by which a wallet links a transfer on Hyperliquid to an order. */
export interface NonceMapping {
  readonly wallet: string;
  readonly depositor: string;
  /** Id of the order. */
  readonly id: string;
  readonly nonce: number;
}

const domainOf = (chainId: number) =>
  ({ name: "RelayNonceMapping", version: "2", chainId, verifyingContract: zeroAddress }) as const;

/** Chain of the signature in quotes. Wallets on other chains replace it. */
const SIGNATURE_CHAIN_ID = 1;

/** Returns the signature step before a transfer, in the live service's words. */
export function linkStep(user: string, nonce: number, { requestId, orderId }: QuoteIds): Step {
  const wallet = user.toLowerCase();
  const mapping = { wallet, nonce, id: orderId, depositor: wallet };
  return {
    id: "authorize",
    action: "Sign nonce-mapping for the deposit",
    description: "Sign the message that maps the deposit to the order",
    kind: "signature",
    requestId,
    items: [
      {
        status: "incomplete",
        data: {
          sign: {
            signatureKind: "eip712",
            domain: domainOf(SIGNATURE_CHAIN_ID),
            // Some clients compare the text of the types, so the order of the keys is the live service's.
            types: { NonceMapping: NONCE_MAPPING_TYPES.NonceMapping.map(({ name, type }) => ({ name, type })) },
            value: { chainId: "hyperliquid", ...mapping },
            primaryType: "NonceMapping",
          },
          post: {
            endpoint: "/authorize",
            method: "POST",
            body: {
              type: "nonce-mapping",
              walletChainId: HYPERLIQUID_CHAIN_ID,
              ...mapping,
              signatureChainId: SIGNATURE_CHAIN_ID,
            },
          },
        },
      },
    ],
  };
}

/** Recovers the signer. Returns undefined if the text is not a signature. */
export async function recoverMapper(
  { wallet, depositor, id, nonce }: NonceMapping,
  signatureChainId: number,
  signature: string,
): Promise<Address | undefined> {
  try {
    return await recoverTypedDataAddress({
      domain: domainOf(signatureChainId),
      types: NONCE_MAPPING_TYPES,
      primaryType: "NonceMapping",
      message: {
        chainId: "hyperliquid",
        wallet: wallet as Address,
        depositor: depositor as Address,
        id: id as Hex,
        nonce: BigInt(nonce),
      },
      signature: signature as Hex,
    });
  } catch {
    return undefined;
  }
}
