// Composes, checks and prints `txs` that deposit the delivered amount in an ERC-4626 vault.
//   node scripts/composeCalls.ts --help
import { parseArgs } from "node:util";

import { type Address, getAddress, maxUint256 } from "viem";

import { checkCalls, decodeCalls, formatCalls, formatFindings, planCalls } from "@crosscall/sdk/calls";
import { localnet } from "crosscall/localnet";

const USAGE = `node scripts/composeCalls.ts [options]

Composes the calls of a deposit in an ERC-4626 vault. By default, the contracts and the recipient are those of a local
network, which the script starts.

  --router <address>     router of the destination chain
  --token <address>      token that the solver delivers
  --proxy <address>      Erc4626Proxy of the vault
  --recipient <address>  receives the shares and what is left
  --json                 print txs as JSON
  --help                 show this help`;

const { values } = parseArgs({
  options: {
    router: { type: "string" },
    token: { type: "string" },
    proxy: { type: "string" },
    recipient: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(USAGE);
} else {
  const { router, token, proxy, recipient } = await readAccounts();
  const plan = planCalls({
    tradeType: "EXACT_INPUT",
    router,
    destinationCurrency: token,
    recipient,
    amount: 10n ** 18n,
    actions: [{ kind: "proxy", token, proxy, recipient, deadline: maxUint256 }],
  });
  const contracts = { router, proxies: [{ address: proxy, inputToken: token }] };
  const findings = checkCalls({ ...plan, destinationCurrency: token, recipient, contracts });
  console.log(
    values.json ? JSON.stringify(plan.txs) : `${formatCalls(decodeCalls(plan.txs))}\n${formatFindings(findings)}`,
  );
  if (findings.some(({ severity }) => severity === "error")) process.exitCode = 1;
}

async function readAccounts(): Promise<Readonly<Record<"router" | "token" | "proxy" | "recipient", Address>>> {
  const { router, token, proxy, recipient } = values;
  if (router !== undefined && token !== undefined && proxy !== undefined && recipient !== undefined) {
    return {
      router: getAddress(router),
      token: getAddress(token),
      proxy: getAddress(proxy),
      recipient: getAddress(recipient),
    };
  }
  await using network = await localnet({ oracle: false });
  const { contracts } = network.chains[1];
  return {
    router: getAddress(router ?? contracts.router),
    token: getAddress(token ?? contracts.dollar),
    proxy: getAddress(proxy ?? contracts.vaultProxy),
    recipient: getAddress(recipient ?? network.accounts.user.address),
  };
}
