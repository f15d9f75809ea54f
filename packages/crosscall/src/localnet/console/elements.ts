import { type Content, markup, type Markup } from "../../replay/report/html/markup.ts";
import { shown } from "../../replay/report/notation.ts";

const HASH = /^0x[0-9a-f]{40,}$/iu;

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

/** Formats a time in UTC without milliseconds. */
export function secondsText(at: Date): Markup {
  return timeElement(at, at.toISOString().replace(/\.\d+Z$/u, ""));
}

function timeElement(at: Date, text: string): Markup {
  return markup`<time datetime="${at.toISOString()}">${text.replace("T", " ")}</time>`;
}

const GOOD = ["success"];
const BAD = ["failure", "refund"];

export function statusBadge(status: string): Markup {
  const kind = GOOD.includes(status) ? "good" : BAD.includes(status) ? "bad" : "open";
  return markup`<span class="status ${kind}">${status}</span>`;
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
