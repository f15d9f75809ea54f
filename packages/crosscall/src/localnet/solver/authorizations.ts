import { concat } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { DevChain, EvmCall } from "../devchain/devChain.ts";
import { recoverAccount, toSigned } from "../market/gasless/executionCall.ts";
import type { StoredCall } from "../store/executions.ts";
import type { StoredTerms } from "../store/requests/requests.ts";

export function withAuthorizations(transaction: EvmCall, { authorizationList }: StoredTerms): EvmCall {
  if (authorizationList === undefined) return transaction;
  return { ...transaction, authorizationList: authorizationList.map(toSigned) };
}

/**
 * Finds an outdated authorization. If an account has sent a transaction since the quote, the EVM skips its
 * authorization, and the order's calls reach an account without code.
 *
 * @returns the problem as text
 */
export async function findStaleAuthorization(
  { client }: DevChain,
  { authorizationList = [] }: Pick<StoredCall, "authorizationList">,
): Promise<string | undefined> {
  for (const [index, authorization] of authorizationList.entries()) {
    const account = await recoverAccount(authorization);
    if (account === undefined) return `authorization ${index} is malformed`;
    const nonce = await client.getTransactionCount({ address: account });
    if (nonce === authorization.nonce) continue;
    const code = await client.getCode({ address: account });
    const delegated = concat(["0xef0100", authorization.address as `0x${string}`]);
    if (code !== undefined && isSameAddress(code, delegated)) continue;
    return `authorization ${index} has nonce ${authorization.nonce}, but ${account} is at ${nonce}`;
  }
  return undefined;
}
