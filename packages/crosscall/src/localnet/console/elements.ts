import { type Content, markup, type Markup } from "../../replay/report/html/markup.ts";
import { dollarText, shown } from "../../replay/report/notation.ts";

/** Hash or address in hex, or in base58 as on Solana. */
const HASH = /^(?:0x[0-9a-fA-F]{40,}|[1-9A-HJ-NP-Za-km-z]{32,88})$/u;

/** Shortens hashes and addresses to `0x1234…abcd`, and truncates other long text. */
export function shortText(text: string, maximum = 48): string {
  return HASH.test(text) ? `${text.slice(0, 8)}…${text.slice(-6)}` : shown(text, maximum);
}

/** Renders a hash or an address with a copy button. */
export function copyable(text: string): Markup {
  return markup`<span class="copyable"><code title="${text}">${shortText(text)}</code><button type="button" class="copy" data-copy="${text}" aria-label="Copy ${shown(text, 80)}">copy</button></span>`;
}

/** Formats a time in UTC, with milliseconds unless it is a whole second. */
export function timeText(at: Date): Markup {
  return timeElement(at, at.toISOString().replace(/(?:\.000)?Z$/u, ""));
}

/** Formats the time of day in UTC, with the date as a tooltip. */
export function clockText(at: Date): Markup {
  return markup`<time datetime="${at.toISOString()}" title="${at.toISOString()}">${at.toISOString().slice(11, 23)}</time>`;
}

/** Formats month, day and time in UTC, with the year as a tooltip. */
export function secondsText(at: Date): Markup {
  const text = at.toISOString();
  return markup`<time datetime="${text}" title="${text}">${text.slice(5, 19).replace("T", " ")}</time>`;
}

function timeElement(at: Date, text: string): Markup {
  return markup`<time datetime="${at.toISOString()}">${text.replace("T", " ")}</time>`;
}

const KINDS: Readonly<Record<string, string>> = { success: "good", failure: "bad", refund: "back", waiting: "idle" };

/** Renders a status as a badge. A held request also gets the badge `held`. */
export function statusBadge(status: string, isHeld = false): Markup {
  const badge = markup`<span class="status ${KINDS[status] ?? "open"}">${status}</span>`;
  return isHeld ? markup`${badge} ${heldBadge()}` : badge;
}

export function heldBadge(): Markup {
  return markup`<span class="status held">held</span>`;
}

/** From the origin chain to the destination chain. */
export const ARROW = markup`<span class="arrow" role="img" aria-label="to">→</span>`;

/** Renders a note that states what happened or what to do, with a colored edge. */
export function callout(kind: "held" | "injected" | "bad" | "plain", title: Content, content: Content): Markup {
  return markup`<div class="callout ${kind}"><p><strong>${title}</strong></p>${content}</div>`;
}

/** Renders what to do on a page that has no data yet. */
export function emptyState(title: string, content: Content): Markup {
  return markup`<div class="empty"><h2>${title}</h2>${content}</div>`;
}

/** Renders an amount in whole units, and its value in US dollars. */
export function amountText(amount: string, symbol: string, usd?: string | null): Markup {
  const [whole = "", fraction = ""] = amount.split(".");
  const number = `${whole}${fraction === "" ? "" : `.${fraction.slice(0, 6)}`}`;
  const value = usd === undefined || usd === null ? "" : markup` <span class="quiet">${dollarText(Number(usd))}</span>`;
  return markup`<span class="amount">${number} ${shown(symbol, 12)}</span>${value}`;
}

/** Renders a block of text with a copy button. */
export function copyBlock(title: string, text: string): Markup {
  return markup`<figure class="block" aria-label="${title}"><figcaption>${title} <button type="button" class="copy" data-copy="${text}" aria-label="Copy ${title}">Copy</button></figcaption>
<pre tabindex="0">${text}</pre></figure>`;
}

export interface Definition {
  readonly label: string;
  readonly content: Content;
}

/** Renders a list of labels and contents. Omits entries without content. */
export function definitions(list: readonly Definition[]): Markup {
  const shownOnes = list.filter(({ content }) => content !== undefined && content !== "");
  return markup`<dl>${shownOnes.map(({ label, content }) => markup`<dt>${label}</dt><dd>${content}</dd>\n`)}</dl>`;
}

export function alert(message: string): Markup {
  return markup`<p class="error" role="alert">${shown(message)}</p>`;
}
