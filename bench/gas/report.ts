import { readFileSync } from "node:fs";

import { toTable } from "../table.ts";
import { type Bar, costOf } from "./bars.ts";
import type { Cost, Gas } from "./measure.ts";

/** The tables to print. */
const PARTS: readonly { key: keyof Gas; title: string }[] = [
  { key: "fill", title: "whole fill" },
  { key: "calls", title: "calls only" },
  { key: "fresh", title: "new recipient" },
  { key: "live", title: "as live" },
  { key: "inner", title: "inner call" },
];

const LEGEND = `
The job       One transaction of the local router: an ERC-20 reaches the router, and all of it is deposited in an
              ERC-4626 vault for a recipient. After each transaction, the recipient must have the number of shares
              that the vault previews. Router, proxies, executor, puller and handler must keep only the unit of steady
              use. Otherwise the benchmark fails.
whole fill    Gas of the transaction. Its first call is token.transferFrom(solver, router, amount).
calls only    Gas of the transaction without that call: the router already has the tokens.
new recipient Same as "calls only", for a recipient without shares.
as live       Same as "new recipient", and the multicall has a recipient of NFTs, as in the service's fills.
inner call    Gas of one call within the whole fill, before refunds: the call of the vault (reference), the proxy, the
              executor, the puller or the handler. Excludes approvals and pushes of the router.
first use     No earlier use: the contracts have no balance of the token, and the recipient has no shares. The only
              allowances are those that constructors set. The vault has another holder, and a share is worth more than
              one token.
steady use    The second use. The third must cost the same, otherwise the benchmark fails. The recipient has shares, and
              the proxy or executor holds one unit of the token. Across's handler does not, because it pays out its
              whole balance. A standing allowance was set by the first use, and the transaction does not set it again.
Crosscall     Every approach checks a minimum in, a minimum out at the recipient, and a deadline.
Across        @across-protocol/contracts ${versionOf("@across-protocol/contracts")}, compiled from the npm package with the kit's compiler and settings.
              makeCallWithBalance inserts the live balance; fallbackRecipient returns leftovers to the recipient. It
              has no minimums and no deadline. "Exact allowance" leaves no allowance, like the executor; the limits
              compare with it.
guide         The proxy of the service's guide: it takes its caller's live balance and deposits it, with OpenZeppelin's
              SafeERC20. It has no minimums, no deadline and no guard.
Refunds       A transaction is refunded at most a fifth of its gas. "Whole fill" and "as live" reach that limit if they
              set and clear the allowance to the vault: the reference, the guide's proxy, the executor, and the handler
              with an exact allowance.
`;

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(new URL(import.meta.resolve(`${name}/package.json`)), "utf8")) as {
    version: string;
  };
  return version;
}

/** Formats a table for each part, a legend, and a line for each limit. */
export function toText(costs: readonly Cost[], bars: readonly Bar[]): string {
  const tables = PARTS.map(({ key, title }) => describePart(costs, key, title));
  return [...tables, LEGEND.trim(), bars.map((bar) => describeBar(costs, bar)).join("\n")].join("\n\n");
}

function describePart(costs: readonly Cost[], key: keyof Gas, title: string): string {
  const reference = costOf(costs, "fixedAmount").steady[key];
  const across = costOf(costs, "across").steady[key];
  const rows = costs.map(({ name, first, steady }) => [
    name,
    first[key].toLocaleString("en-US"),
    steady[key].toLocaleString("en-US"),
    (steady[key] / reference).toFixed(3),
    (steady[key] / across).toFixed(3),
  ]);
  return toTable([[title, "first use", "steady use", "to reference", "to Across"], ...rows]);
}

function describeBar(costs: readonly Cost[], { way, part, to, measured, atMost, isMet }: Bar): string {
  const name = costOf(costs, way).name;
  const title = PARTS.find(({ key }) => key === part)?.title ?? part;
  const words = `${title}: ${to === undefined ? name : `${name} / ${costOf(costs, to).name}`}`;
  const format = (value: number): string => (to === undefined ? value.toLocaleString("en-US") : value.toFixed(3));
  return `${isMet ? "met   " : "MISSED"}  ${format(measured)}, at most ${format(atMost)}: ${words}`;
}
