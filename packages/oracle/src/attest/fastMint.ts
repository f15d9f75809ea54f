import { type Address, parseAbi } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { readContract } from "../readContract.ts";
import type { Deposit } from "../vms/vmChain.ts";

const LIMITER_ABI = parseAbi([
  "function canConsume(string chainId, bytes currency, uint256 amount) view returns (bool)",
]);

/**
 * Checks that deposits may be credited before they are final.
 *
 * @returns the contract on the hub that limits the amount
 * @throws {@link InvalidStateError} if the hub has no such contract, or the chain charges a fee without a recipient
 * @throws {@link AttestationRefusedError} if the limit is reached
 */
export async function requireFastMint(
  { chains, hub, hubReader }: OracleContext,
  chainId: string,
  deposits: readonly Deposit[],
): Promise<Address> {
  const limiter = hub.rateLimiter?.address as Address | undefined;
  if (limiter === undefined) throw misconfigured("the hub has no rateLimiter");
  const { fastMode } = chains.get(chainId).config.additionalData;
  const takesFee = Object.values(fastMode?.finalityTiers ?? {}).some((tiers) =>
    tiers.some(({ feeBps = 0 }) => feeBps > 0),
  );
  if (takesFee && fastMode?.feeRecipient === undefined) throw misconfigured("its fastMode has no feeRecipient");
  await Promise.all(
    deposits.map(async ({ currency, amount }) => {
      const args = [chainId, chains.encode(chainId, currency, "currency"), amount] as const;
      let canConsume = true;
      try {
        const read = { address: limiter, abi: LIMITER_ABI, functionName: "canConsume", args } as const;
        canConsume = await readContract(hubReader, read);
      } catch {
        // The limiter on the hub decides: it rejects the execution itself.
      }
      requireAttested(canConsume, "Fast mode rate limit exceeded");
    }),
  );
  return limiter;
}

function misconfigured(reason: string): InvalidStateError {
  return new InvalidStateError({
    message: `a deposit cannot be credited in fast mode: ${reason}`,
    hint: "Complete the chain files, or leave fastMode out.",
  });
}
