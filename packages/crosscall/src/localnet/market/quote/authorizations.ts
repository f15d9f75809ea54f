import { type Address, isAddress } from "viem";
import { getBlock } from "viem/actions";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import type { DevChain } from "../../devchain/devChain.ts";
import { recoverAccount } from "../gasless/executionCall.ts";
import { isSimulated } from "../quotedChains.ts";
import type { ResolvedQuote } from "./resolveQuote.ts";

/** Gas of each EIP-7702 authorization, for pricing. */
export const AUTHORIZATION_GAS = 25_000n;

/**
 * Finds the first authorization that the fill could not use. The EVM skips such authorizations silently, and a call to
 * an account without code succeeds without effect.
 */
export async function findAuthorizationProblem(quote: ResolvedQuote): Promise<QuoteProblem | undefined> {
  const { request, destination, user, recipient } = quote;
  const { authorizationList = [] } = request;
  if (authorizationList.length === 0) return undefined;
  if (isSimulated(destination) || !(await hasAuthorizations(destination))) {
    return {
      errorCode: "UNSUPPORTED_EXECUTION_TYPE",
      field: "authorizationList",
      value: authorizationList,
      reason: `chain ${destination.id} does not support EIP-7702`,
      hint: "Choose a chain with Prague rules, or omit authorizationList.",
    };
  }
  if (request.useDepositAddress === true) {
    return {
      errorCode: "UNSUPPORTED_EXECUTION_TYPE",
      field: "authorizationList",
      value: authorizationList,
      reason: "a deposit address can be paid many times, but an authorization is valid once",
      hint: "Omit authorizationList or useDepositAddress.",
    };
  }
  const accounts: Address[] = [];
  for (const [index, authorization] of authorizationList.entries()) {
    const at = `authorizationList[${index}]`;
    const { chainId, address } = authorization;
    if (chainId !== 0 && chainId !== destination.id) {
      const hint = `Sign it for chain ${destination.id}, or for every chain with 0.`;
      return problem(`${at}.chainId`, chainId, `the calls run on chain ${destination.id}`, hint);
    }
    if (!isAddress(address, { strict: false })) {
      return problem(`${at}.address`, address, "must be an EVM address", "Pass the delegate's address.");
    }
    const account = await recoverAccount(authorization);
    const isOwn = account !== undefined && [user, recipient].some((owner) => isSameAddress(owner, account));
    if (!isOwn) {
      const reason = `is signed by ${account ?? "no account"}, not by the user or the recipient`;
      return problem(at, authorization, reason, "Sign it with the account that delegates its code.");
    }
    if (accounts.some((other) => isSameAddress(other, account))) {
      return problem(at, authorization, "is a second authorization of the same account", "Pass one per account.");
    }
    accounts.push(account);
    const nonce = await destination.client.getTransactionCount({ address: account });
    if (authorization.nonce === nonce) continue;
    const hint = "Read the account's transaction count on the destination chain, and sign again.";
    return problem(`${at}.nonce`, authorization.nonce, `the account's next nonce is ${nonce}`, hint);
  }
  return undefined;
}

/** Returns whether the chain supports authorizations. Blocks contain `requestsHash` since Prague. */
async function hasAuthorizations({ client }: DevChain): Promise<boolean> {
  const block: object = await getBlock(client);
  return "requestsHash" in block && block.requestsHash != null;
}

function problem(field: string, value: unknown, reason: string, hint: string): QuoteProblem {
  return { errorCode: "INVALID_REQUEST", field, value, reason, hint };
}
