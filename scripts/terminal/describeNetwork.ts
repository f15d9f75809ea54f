import type { Localnet } from "../../src/localnet/index.ts";

export function toNetworkJson({
  url,
  apiKey,
  adminKey,
  chains,
  solver,
  accounts,
  oracle,
}: Localnet): Record<string, unknown> {
  const spare = accounts.spare.map(({ address }) => address);
  return { ok: true, url, apiKey, adminKey, solver, user: accounts.user.address, spareAccounts: spare, chains, oracle };
}

export function toNetworkText({ url, apiKey, adminKey, chains, solver, accounts, oracle }: Localnet): string {
  const lines = [
    `service      ${url}   (try ${url}/documentation)`,
    ...(oracle === undefined ? [] : [`oracle       ${oracle.url}   (its peer ${oracle.peerUrl})`]),
    `API key      ${apiKey}`,
    `admin key    ${adminKey}`,
    `solver       ${solver}`,
    `user         ${accounts.user.address}`,
    ...accounts.spare.map(({ address }) => `spare        ${address}`),
    ...chains.flatMap(({ id, rpcUrl, contracts }) => [
      `chain ${id}  ${rpcUrl}`,
      ...Object.entries(contracts).map(([name, address]) => `  ${name.padEnd(18)}${String(address)}`),
    ]),
    "",
    "Ctrl-C stops it.",
    "",
  ];
  return lines.join("\n");
}
