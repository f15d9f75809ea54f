import { readFileSync } from "node:fs";

import { toTable } from "../table.ts";
import { type Bar, costOf } from "./bars.ts";
import type { Cost, Gas } from "./measure.ts";

/** A table for each of these. */
const PARTS: readonly { key: keyof Gas; title: string }[] = [
  { key: "fill", title: "whole fill" },
  { key: "calls", title: "calls only" },
  { key: "fresh", title: "new recipient" },
  { key: "live", title: "as live" },
  { key: "inner", title: "inner call" },
];

const LEGEND = `
The job       One transaction of the local router: an ERC-20 reaches the router, and all of it is deposited in an
              ERC-4626 vault for a recipient. After each transaction the recipient must have the vault's own count of
              shares, and router, proxies, executor, puller and handler nothing but the unit of steady use, else the
              benchmark fails.
whole fill    Gas of the transaction. Its first call is token.transferFrom(solver, router, amount).
calls only    Gas of the transaction without that call: the tokens lie at the router before it.
new recipient As "calls only", for a recipient without shares.
as live       As "new recipient", and the multicall has a recipient of NFTs, as the service's fills have.
inner call    Gas of one call within the whole fill, before refunds: that of the vault (reference), the proxy, the
              executor, the puller, the handler. Approvals and pushes of the router are not in it.
first use     No earlier use: the contracts have no balance of the token, and the router and they have given no
              allowance but what a constructor gives, the recipient has no shares. The vault has another holder, and a
              share is worth more than one token.
steady use    The second use (the third costs the same, else the benchmark fails): the recipient has shares, and one
              unit of the token, put there by anyone, lies at the proxy or executor. Not at Across's handler, which
              pays out all that it holds. An allowance that a name says "stands" was given by the first use, and the
              transaction does not give it again.
Crosscall     minimum in, minimum out at the recipient and a deadline are checked in every way.
Across        @across-protocol/contracts ${versionOf("@across-protocol/contracts")}, compiled from the npm package with the kit's compiler and settings.
              The live balance goes in by makeCallWithBalance, leftovers to the recipient by fallbackRecipient. It has
              no minimums and no deadline. "Exact allowance" ends with none, as the executor does; the bars are to this.
guide         The proxy that the service's guide describes: it takes its caller's live balance and deposits it, with
              OpenZeppelin's SafeERC20. It has no minimums, no deadline and no guard.
Refunds       A transaction gets back a fifth of its gas at most. Whole fills and fills as live reach that limit where an
              allowance to the vault goes from zero to zero: the reference, the guide's proxy, the executor, the
              handler's exact one.
`;

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(new URL(import.meta.resolve(`${name}/package.json`)), "utf8")) as {
    version: string;
  };
  return version;
}

/** The answer for people: a table for each part, what the words mean, and a line for each bar. */
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
