import { readFileSync } from "node:fs";

import { toTable } from "../table.ts";
import { type Bar, costOf, type RouterCosts } from "./bars.ts";
import type { Cost } from "./measure.ts";
import type { WayId } from "./ways.ts";

const LEGEND = `
The job        One transaction of the local router: an ERC-20 reaches the router, and all of it is deposited in an
               ERC-4626 vault for a recipient. After each transaction, the recipient must have the number of shares
               that the vault previews, and no contract may keep anything but the unit below. Otherwise the benchmark
               fails.
planRecipe,    The calls as the planner emits them. Every call of crosscall checks a minimum in, a minimum out at the
planCalls      recipient, and a deadline. "Unknown token": the plan does not state how the token treats allowances, so it
               works for every token. The other typed plan states that the token accepts every change.
fill           Gas of the transaction. Its first call is token.transferFrom(solver, router, amount).
fresh          Gas of the transaction without that call, for a recipient without shares, in the second use.
as live        Same as "fresh", and the multicall has a recipient of NFTs, as in the service's fills.
inner          Gas of one call within the fill, before refunds: the call of the vault (reference), the proxy, the
               executor or the handler. Excludes approvals and pushes of the router.
first          No earlier use: no contract has a balance of the token, the recipient has no shares, and the only
               allowances are those that constructors set. A share is worth more than one token.
second         After the first use. If the proxy or executor keeps a unit of the token, someone sent it that unit. Proxies
               keep it, and programs whose plan says so. The executor has none for other programs.
hundredth      The hundredth use. It must cost as much as the second one.
Across         @across-protocol/contracts ${versionOf("@across-protocol/contracts")}, compiled from the npm package with the kit's compiler and settings.
               makeCallWithBalance inserts the live balance; fallbackRecipient returns leftovers to the recipient. It
               has no minimums and no deadline. "Exact allowance" leaves no allowance, like the executor; the limits
               compare with it.
guide          The proxy of the service's guide: it takes its caller's live balance and deposits it, with OpenZeppelin's
               SafeERC20. It has no minimums, no deadline and no guard.
Refunds        A transaction is refunded at most a fifth of its gas.
`;

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(new URL(import.meta.resolve(`${name}/package.json`)), "utf8")) as {
    version: string;
  };
  return version;
}

/** Formats a table for each router, a legend, and a line for each limit. */
export function toText(all: readonly RouterCosts[], bars: readonly Bar[]): string {
  return [...all.map(describeRouter), LEGEND.trim(), bars.map(describeBar).join("\n")].join("\n\n");
}

function describeRouter({ router, ways }: RouterCosts): string {
  return toTable([
    [router, "first", "second", "hundredth", "to fixed", "to Across", "fresh", "as live", "inner"],
    ...ways.map((cost) => [cost.name, ...figuresOf(cost, ways)]),
  ]);
}

/** Returns the figures of a row, as in `docs/benchmarks.md`. Ratios compare fills of the second use. */
export function figuresOf({ first, second, hundredth }: Cost, ways: readonly Cost[]): string[] {
  const ratioTo = (id: WayId): string => (second.fill / costOf(ways, id).second.fill).toFixed(3);
  const whole = (gas: number): string => gas.toLocaleString("en-US");
  return [
    ...[first.fill, second.fill, hundredth].map(whole),
    ratioTo("fixedAmount"),
    ratioTo("across"),
    ...[second.fresh, second.live, second.inner].map(whole),
  ];
}

function describeBar({ router, id, to, measured, atMost, isMet }: Bar): string {
  const format = (value: number): string => formatMeasured({ to, measured: value });
  return `${isMet ? "met   " : "MISSED"}  ${format(measured)}, at most ${format(atMost)}: ${id} with ${router}`;
}

/** Formats a value of a limit, as in `docs/benchmarks.md`. */
export function formatMeasured({ to, measured }: Pick<Bar, "measured"> & { readonly to: WayId | undefined }): string {
  return to === undefined ? measured.toLocaleString("en-US") : measured.toFixed(3);
}
