// Replays a fill on a fork of its chain and prints why it failed, and which delivered amounts it works for.
//   node scripts/replayFill.ts --help
import { parseArgs } from "node:util";

import { encodeFunctionData, erc20Abi } from "viem";

import { createServiceClient, getRequest } from "@crosscall/sdk";
import { localnet } from "crosscall/localnet";
import { formatReport, replay, type ReplayInput, type ReplayParameters, toReportJson } from "crosscall/replay";

const USAGE = `node scripts/replayFill.ts [options] [requestId]

Replays the fill of a request. Without a request id, replays a plan on a local network that the script starts: it sends on
1000 units of a token, but only 990 arrive.

  --api-url <url>   service that has the request
  --api-key <key>   its key (default: CROSSCALL_API_KEY)
  --rpc-url <url>   JSON-RPC endpoint of the destination chain
  --json            print the report as JSON
  --help            show this help`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "api-url": { type: "string" },
    "api-key": { type: "string", default: process.env.CROSSCALL_API_KEY ?? "" },
    "rpc-url": { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const [requestId] = positionals;
if (values.help) {
  console.log(USAGE);
} else if (requestId === undefined) {
  await using network = await localnet({ oracle: false });
  const [, { id, rpcUrl, contracts }] = network.chains;
  const recipient = network.accounts.user.address;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [recipient, 1_000n] });
  const plan = {
    name: "a fixed amount",
    destinationChainId: id,
    destinationCurrency: contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: "1000",
    delivered: 990n,
    txs: [{ to: contracts.dollar, data, value: "0" }],
    recipient,
  } as const;
  await print({ kind: "plan", plan }, rpcUrl, { from: 900n, to: 1_100n, steps: 5 });
} else {
  const { "api-url": baseUrl, "api-key": apiKey, "rpc-url": rpcUrl } = values;
  if (baseUrl === undefined || rpcUrl === undefined) throw new Error("pass --api-url and --rpc-url");
  const client = createServiceClient({ baseUrl, apiKey });
  await print({ kind: "request", record: await getRequest(client, { requestId }) }, rpcUrl);
}

async function print(input: ReplayInput, rpcUrl: string, envelope?: ReplayParameters["envelope"]): Promise<void> {
  const report = await replay({ input, rpcUrl, envelope, signal: new AbortController().signal });
  console.log(values.json ? JSON.stringify(toReportJson(report), undefined, 2) : formatReport(report));
}
