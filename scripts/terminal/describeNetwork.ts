import type { Localnet } from "../../src/localnet/index.ts";

/** A running network as plain data. */
export function toNetworkJson({ url, apiKey, adminKey, chains, solver, accounts }: Localnet): Record<string, unknown> {
  const spare = accounts.spare.map(({ address }) => address);
  return { ok: true, url, apiKey, adminKey, solver, user: accounts.user.address, spareAccounts: spare, chains };
}

/** A running network for people. */
export function toNetworkText({ url, apiKey, adminKey, chains, solver, accounts }: Localnet): string {
  const lines = [
    `service      ${url}   (try ${url}/documentation)`,
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
