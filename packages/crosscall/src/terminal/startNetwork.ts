import { CONTRACT_SOURCES } from "../localnet/devchain/published.ts";
import { localnet, type Localnet, type LocalnetOptions } from "../localnet/index.ts";
import { compileContracts } from "./compileContracts.ts";
import type { Stages } from "./stages.ts";

export async function startNetwork(stages: Stages, signal: AbortSignal, options: LocalnetOptions): Promise<Localnet> {
  await stages.run("Compile the contracts", () => compileContracts(signal, Object.values(CONTRACT_SOURCES)));
  return stages.run("Start the chains, the contracts, the service and the solver", async ({ note }) => {
    const network = await localnet(options);
    note(network.chains.map(({ id, rpcUrl }) => `chain ${id} at ${rpcUrl}`).join(", "));
    if (network.svm !== undefined) note(`Solana at ${network.svm.rpcUrl}`);
    note(`service at ${network.url}`);
    if (network.oracle !== undefined) note(`oracle at ${network.oracle.url}, with a peer at ${network.oracle.peerUrl}`);
    return network;
  });
}

export function toNetworkJson(network: Localnet): Record<string, unknown> {
  const { url, consoleUrl, websocketUrl, apiKey, adminKey, chains, svm, solver, accounts, oracle } = network;
  const spare = accounts.spare.map(({ address }) => address);
  const user = accounts.user.address;
  return {
    ok: true,
    url,
    consoleUrl,
    signInUrl: network.createSignInUrl(),
    websocketUrl,
    apiKey,
    adminKey,
    solver,
    user,
    spareAccounts: spare,
    chains,
    svm,
    oracle,
  };
}

export function toNetworkText(network: Localnet): string {
  const { url, consoleUrl, websocketUrl, apiKey, adminKey, chains, svm, solver, accounts, oracle } = network;
  const lines = [
    `service      ${url}   (try ${url}/documentation)`,
    ...(oracle === undefined ? [] : [`oracle       ${oracle.url}   (its peer ${oracle.peerUrl})`]),
    `console      ${consoleUrl}`,
    `sign in      ${network.createSignInUrl()}   (works once)`,
    `websocket    ${websocketUrl}`,
    `API key      ${apiKey}`,
    `admin key    ${adminKey}`,
    `solver       ${solver}`,
    `user         ${accounts.user.address}`,
    ...accounts.spare.map(({ address }) => `spare        ${address}`),
    ...(svm === undefined ? [] : [`chain ${svm.id}  ${svm.rpcUrl}   (Solana)`]),
    ...chainLines(chains),
    "",
    "Run crosscall chain accounts to list the accounts and their keys. Press Ctrl-C to stop the network.",
    "",
  ];
  return lines.join("\n");
}

/** Returns the chains, each with the contracts whose addresses differ between chains, then the other contracts. */
function chainLines(chains: Localnet["chains"]): string[] {
  const [{ contracts: first }] = chains;
  const isCommon = ([name]: [string, unknown]): boolean =>
    chains.every(({ contracts }) => Reflect.get(contracts, name) === Reflect.get(first, name));
  const toLine = ([name, address]: [string, unknown]): string => `  ${name.padEnd(20)}  ${String(address)}`;
  return [
    ...chains.flatMap(({ id, name, rpcUrl, contracts }) => [
      `chain ${id}  ${rpcUrl}   (${name})`,
      ...Object.entries<unknown>({ ...contracts })
        .filter((entry) => !isCommon(entry))
        .map(toLine),
    ]),
    "on every chain",
    ...Object.entries<unknown>({ ...first })
      .filter(isCommon)
      .map(toLine),
  ];
}

/** Formats the output for a worker, which has no API. */
export function toWorkerJson({ url, chains, solver }: Localnet): Record<string, unknown> {
  return { ok: true, url, solver, chains };
}

export function toWorkerText({ url, chains, solver }: Localnet): string {
  return [
    `worker       ${url}   (only /lives, /ready and /metrics)`,
    `solver       ${solver}`,
    ...chains.map(({ id, rpcUrl }) => `chain ${id}  ${rpcUrl}`),
    "",
    "Ctrl-C stops the worker.",
    "",
  ].join("\n");
}
