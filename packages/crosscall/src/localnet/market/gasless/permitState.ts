import { type Address, erc20Abi, type Hex, parseAbi, parseEventLogs, type TransactionReceipt } from "viem";

import { isSameAddress, PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import type { DevChain } from "../../devchain/devChain.ts";
import { isConfirmed, readBalance } from "../../devchain/readChain.ts";
import type { StoredPermit } from "../../store/permits.ts";

const STATE_ABI = parseAbi([
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function nonces(address owner) view returns (uint256)",
  "function nonceBitmap(address owner, uint256 word) view returns (uint256)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
]);

/**
 * Number of blocks to search for uses of an authorization. Earlier uses are not found, but permits expire long before.
 */
const LOOK_BACK_BLOCKS = 100_000n;

/**
 * `moved`: another account sent the authorization, and the solver has the amount. `moving`: the same, in an unconfirmed
 * block.
 */
export type PermitState = "ready" | "moved" | "moving" | "nonceUsed" | "notApproved" | "balanceTooLow";

/** Returns the state of a signed permit: whether it can be used now. */
export async function readPermitState(chain: DevChain, permit: StoredPermit, solver: Address): Promise<PermitState> {
  if (await isUsed(chain, permit)) return readMove(chain, permit, solver);
  const owner = permit.owner as Address;
  const amount = BigInt(permit.amount);
  const [balance, allowance] = await Promise.all([
    readBalance(chain, permit.token, owner),
    permit.kind === "permit2" ? readTokenAllowance(chain, permit, PERMIT2_ADDRESS) : amount,
  ]);
  if (balance < amount) return "balanceTooLow";
  return allowance < amount ? "notApproved" : "ready";
}

async function isUsed(chain: DevChain, permit: StoredPermit): Promise<boolean> {
  const { client, contracts } = chain;
  const owner = permit.owner as Address;
  const token = permit.token as Address;
  switch (permit.kind) {
    case "eip3009": {
      const args = [owner, permit.nonce as Hex] as const;
      return client.readContract({ address: token, abi: STATE_ABI, functionName: "authorizationState", args });
    }
    case "eip2612": {
      const next = await client.readContract({ address: token, abi: STATE_ABI, functionName: "nonces", args: [owner] });
      if (next === BigInt(permit.nonce)) return false;
      // Another account may have sent the permit. Only the solver can use its allowance.
      return (await readTokenAllowance(chain, permit, contracts.approvalProxy)) < BigInt(permit.amount);
    }
    case "permit2": {
      const nonce = BigInt(permit.nonce);
      const args = [owner, nonce >> 8n] as const;
      const word = await client.readContract({
        address: PERMIT2_ADDRESS,
        abi: STATE_ABI,
        functionName: "nonceBitmap",
        args,
      });
      return ((word >> (nonce & 255n)) & 1n) === 1n;
    }
  }
}

/** Returns the state of a used nonce. Without a transfer, the authorization was canceled, so it paid nothing. */
async function readMove(chain: DevChain, permit: StoredPermit, solver: Address): Promise<PermitState> {
  const move = await findMove(chain, permit, solver);
  if (move === undefined) return "nonceUsed";
  return (await isConfirmed(chain, move.blockNumber)) ? "moved" : "moving";
}

/** Finds a transfer by authorization that another account sent. It pays the solver without a deposit. */
export async function findMove(
  chain: DevChain,
  permit: StoredPermit,
  solver: Address,
): Promise<TransactionReceipt | undefined> {
  if (permit.kind !== "eip3009") return undefined;
  const token = permit.token as Address;
  const owner = permit.owner as Address;
  const latest = await chain.client.getBlockNumber();
  const [used] = await chain.client.getContractEvents({
    address: token,
    abi: STATE_ABI,
    eventName: "AuthorizationUsed",
    args: { authorizer: owner, nonce: permit.nonce as Hex },
    fromBlock: latest > LOOK_BACK_BLOCKS ? latest - LOOK_BACK_BLOCKS : 0n,
    toBlock: latest,
  });
  if (used === undefined) return undefined;
  const receipt = await chain.client.getTransactionReceipt({ hash: used.transactionHash });
  const { logs } = receipt;
  const index = logs.findIndex(({ logIndex }) => logIndex === used.logIndex);
  // The transfer follows the event, so another transfer of the transaction does not count.
  const [transfer] = parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs: logs.slice(index + 1, index + 2) });
  const isPayment =
    transfer !== undefined &&
    isSameAddress(transfer.address, token) &&
    isSameAddress(transfer.args.from, owner) &&
    isSameAddress(transfer.args.to, solver) &&
    transfer.args.value === BigInt(permit.amount);
  return isPayment ? receipt : undefined;
}

function readTokenAllowance({ client }: DevChain, { token, owner }: StoredPermit, spender: Address): Promise<bigint> {
  const args = [owner as Address, spender] as const;
  return client.readContract({ address: token as Address, abi: erc20Abi, functionName: "allowance", args });
}
