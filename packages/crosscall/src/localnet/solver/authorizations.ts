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
 * Since the quote, an account may have sent a transaction: then the EVM would skip its authorization, and the order's
 * calls would meet an account without code.
 *
 * @returns what is wrong, for humans
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
