import type { Address } from "viem";

import type { ReplayReport, Transfer } from "../../replayReport.ts";
import { type Notation, shown } from "../notation.ts";
import { type Markup, markup } from "./markup.ts";

/** Maximum size of a diagram. Larger diagrams are cut; the table lists all transfers. */
const DRAWN_TRANSFERS = 150;
const CHARACTER_WIDTH = 7.3;
const LABEL_CHARACTERS = 34;
const NAME_CHARACTERS = 20;
const NODE_HEIGHT = 40;
const ROW_HEIGHT = 38;
const DASHES = ["", "7 4", "2 3", "10 3 2 3"];

/**
 * Draws a vertical line per account, and an arrow with the amount per transfer, in order of execution. Each currency
 * has its own stroke.
 */
export function fundsFlow({ transfers }: Pick<ReplayReport, "transfers">, notation: Notation): Markup {
  if (transfers.length === 0) return markup`<p>No token and no native currency moves.</p>`;
  const drawn = transfers.slice(0, DRAWN_TRANSFERS);
  const accounts = [
    ...new Map(drawn.flatMap(({ from, to }) => [from, to]).map((one) => [one.toLowerCase(), one])).values(),
  ];
  const currencies = [...new Set(drawn.map(({ currency }) => currency.toLowerCase()))];
  const labels = drawn.map(({ amount, currency }, index) =>
    shown(`${index + 1}. ${notation.amountOf(amount, currency)}`, LABEL_CHARACTERS),
  );
  const widest = Math.max(NAME_CHARACTERS, ...labels.map((label) => label.length));
  const gap = Math.ceil(widest * CHARACTER_WIDTH + 24);
  const columnOf = (account: Address): number =>
    gap / 2 + gap * accounts.findIndex((one) => one.toLowerCase() === account.toLowerCase());
  const width = gap * accounts.length;
  const height = NODE_HEIGHT + ROW_HEIGHT * (drawn.length + 1);
  const rows = drawn.map((transfer, index) => {
    const y = NODE_HEIGHT + ROW_HEIGHT * (index + 1);
    const dash = DASHES[currencies.indexOf(transfer.currency.toLowerCase()) % DASHES.length] ?? "";
    return arrow(transfer, { y, dash, label: labels[index] ?? "", columnOf, notation });
  });
  const rest = transfers.length - drawn.length;
  return markup`<div class="scroll" tabindex="0"><svg role="img" aria-label="Funds flow" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<desc>${drawn.length} transfers between ${accounts.length} accounts, from top to bottom in order. The table of transfers has the same data.</desc>
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="9" markerHeight="9" orient="auto"><path d="M0 0 8 4 0 8z" fill="currentColor"/></marker></defs>
${accounts.map((account) => lifeline(account, columnOf(account), height, notation))}${rows}</svg></div>
${rest === 0 ? "" : markup`<p class="quiet">${rest} more transfers are in the table.</p>`}`;
}

function lifeline(account: Address, x: number, height: number, notation: Notation): Markup {
  const width = NAME_CHARACTERS * CHARACTER_WIDTH + 12;
  const name = notation.nameOf(account);
  return markup`<g><title>${name} ${account}</title><line x1="${x}" y1="${NODE_HEIGHT}" x2="${x}" y2="${height}" stroke="var(--line)"/>
<rect x="${x - width / 2}" y="1" width="${width}" height="${NODE_HEIGHT - 2}" rx="5" fill="var(--soft)" stroke="currentColor"/>
<text x="${x}" y="24" text-anchor="middle">${shortName(name)}</text></g>
`;
}

interface ArrowPlace {
  readonly y: number;
  readonly dash: string;
  readonly label: string;
  readonly columnOf: (account: Address) => number;
  readonly notation: Notation;
}

function arrow({ from, to, amount, currency }: Transfer, { y, dash, label, columnOf, notation }: ArrowPlace): Markup {
  const start = columnOf(from);
  const end = columnOf(to);
  const words = `${notation.nameOf(from)} to ${notation.nameOf(to)}: ${notation.amountOf(amount, currency)}`;
  // Draws a loop for a transfer from an account to itself.
  const path = start === end ? `M${start} ${y - 8}h36v16H${start}` : `M${start} ${y}H${end}`;
  const at = start === end ? start + 42 : (start + end) / 2;
  return markup`<g><title>${words}</title><path d="${path}" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="${dash}" marker-end="url(#tip)"/>
<text x="${at}" y="${start === end ? y + 4 : y - 6}" text-anchor="${start === end ? "start" : "middle"}">${label}</text></g>
`;
}

function shortName(name: string): string {
  return /^0x[0-9a-fA-F]{40}$/u.test(name) ? `${name.slice(0, 8)}…${name.slice(-6)}` : shown(name, NAME_CHARACTERS);
}
