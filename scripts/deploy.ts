// Deploys crosscall's contracts at their deterministic addresses, with the functions of `crosscall deploy`.
//   node scripts/deploy.ts --help
import { parseArgs } from "node:util";

import { localnet } from "crosscall/localnet";

import { describeDeployment } from "../packages/crosscall/src/commands/deploy/run.ts";
import { runDeployment } from "../packages/crosscall/src/commands/deploy/runDeployment.ts";
import { localAccountList } from "../packages/crosscall/src/localnet/devchain/accounts.ts";
import { confirm } from "../packages/crosscall/src/terminal/confirm.ts";
import { interruptOnCtrlC } from "../packages/crosscall/src/terminal/interrupt.ts";
import { Stages } from "../packages/crosscall/src/terminal/stages.ts";

const USAGE = `node scripts/deploy.ts [options]

Deploys the contracts that are missing on a chain. By default, the chain is that of a local network, which the script starts.

  --rpc-url <url>   JSON-RPC endpoint of the chain; set the deployer's key in CROSSCALL_PRIVATE_KEY
  --folder <path>   folder of deployment records (default: deployments; for a local network .crosscall/deployments)
  --dry-run         print addresses and missing contracts, and send nothing
  --yes             send without confirmation
  --json            print the outcome as JSON
  --help            show this help`;

const { values } = parseArgs({
  options: {
    "rpc-url": { type: "string" },
    folder: { type: "string" },
    "dry-run": { type: "boolean", default: false },
    yes: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(USAGE);
} else if (values["rpc-url"] === undefined) {
  await using network = await localnet({ oracle: false });
  const privateKey = localAccountList.find(({ name }) => name === "deployer")?.privateKey;
  await deploy({ rpcUrl: network.chains[0].rpcUrl, privateKey, folder: ".crosscall/deployments", asks: false });
} else {
  const privateKey = process.env.CROSSCALL_PRIVATE_KEY;
  await deploy({ rpcUrl: values["rpc-url"], privateKey, folder: "deployments", asks: !values.yes });
}

interface Target {
  readonly rpcUrl: string;
  readonly privateKey: string | undefined;
  readonly folder: string;
  readonly asks: boolean;
}

async function deploy({ rpcUrl, privateKey, folder, asks }: Target): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const outcome = await runDeployment(
    {
      rpcUrl,
      privateKey,
      chainId: undefined,
      parametersPath: undefined,
      only: [],
      isDryRun: values["dry-run"],
      confirmations: undefined,
      timeoutMs: 30 * 60_000,
      folder: values.folder ?? folder,
      explorer: undefined,
      confirm: asks ? (question) => confirm(question, "the deployment", signal) : undefined,
    },
    new Stages({ isSilent: values.json, signal }),
    signal,
  );
  console.log(values.json ? JSON.stringify(outcome) : describeDeployment(outcome));
}
