import { type Client, type Hex, parseAbi } from "viem";
import { getBlockNumber, getLogs } from "viem/actions";

import { parseServiceAddress } from "../../chains/address.ts";
import type { Quote } from "../../protocol/quote/quote.ts";
import { isPresent } from "../../protocol/schema/readResponse.ts";

const DEPOSIT_EVENTS = parseAbi([
  "event RelayNativeDeposit(address from, uint256 amount, bytes32 id)",
  "event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)",
]);

/** The service has indexed older deposits. */
const LOOK_BACK_BLOCKS = 1_000n;

/** By the depository's event with the quote's orderId, in the latest thousand blocks. */
export async function findDeposit(client: Client, { protocol }: Quote): Promise<Hex | undefined> {
  // A same-chain swap has no order and no event.
  const { orderId, paymentDetails } = protocol?.v2 ?? {};
  if (!isPresent(orderId) || !isPresent(paymentDetails?.depository)) return undefined;
  const latest = await getBlockNumber(client, { cacheTime: 0 });
  const logs = await getLogs(client, {
    address: parseServiceAddress(paymentDetails.depository, "protocol.v2.paymentDetails.depository"),
    events: DEPOSIT_EVENTS,
    fromBlock: latest > LOOK_BACK_BLOCKS ? latest - LOOK_BACK_BLOCKS : 0n,
    toBlock: latest,
    strict: true,
  });
  return logs.find(({ args }) => args.id.toLowerCase() === orderId.toLowerCase())?.transactionHash;
}
