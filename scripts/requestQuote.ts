// Requests a quote for a deposit in a vault on another chain, verifies its steps, and prints its cost. Signs nothing.
//   node scripts/requestQuote.ts --help
import { parseArgs } from "node:util";

import { formatEther, formatUnits, maxUint256, parseEther, zeroAddress } from "viem";

import { minimumOutput } from "@crosscall/protocol";
import { createServiceClient, getQuote } from "@crosscall/sdk";
import { checkCalls, planCalls } from "@crosscall/sdk/calls";
import { verifyQuote } from "@crosscall/sdk/verify";
import { localnet } from "crosscall/localnet";

const USAGE = `node scripts/requestQuote.ts [options]

Starts a local network and requests a quote there: pay the native currency on one chain, and deposit what arrives in an
ERC-4626 vault on the other.

  --amount <ether>   what the user pays (default: 1)
  --json             print the quote as JSON
  --help             show this help`;

const { values } = parseArgs({
  options: {
    amount: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(USAGE);
} else {
  await using network = await localnet({ oracle: false });
  const [origin, destination] = network.chains;
  const { router, dollar, vaultProxy } = destination.contracts;
  const user = network.accounts.user.address;
  const plan = planCalls({
    tradeType: "EXACT_INPUT",
    router,
    destinationCurrency: dollar,
    recipient: user,
    amount: parseEther(values.amount),
    actions: [{ kind: "proxy", token: dollar, proxy: vaultProxy, recipient: user, deadline: maxUint256 }],
  });
  const request = {
    user,
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: zeroAddress,
    destinationCurrency: dollar,
    ...plan,
  };
  const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, checkCalls });
  const quote = await getQuote(client, request);
  const { verdict } = await verifyQuote({ request, quote, trust: network.trust });
  if (values.json) {
    console.log(JSON.stringify(quote, undefined, 2));
  } else {
    console.log(`pays      ${formatEther(BigInt(plan.amount))} ETH on chain ${origin.id}`);
    console.log(`delivers  at least ${formatUnits(minimumOutput(quote), 6)} USDC on chain ${destination.id}`);
    console.log(`steps     ${quote.steps?.map(({ id }) => id).join(", ")} (verification: ${verdict})`);
  }
}
