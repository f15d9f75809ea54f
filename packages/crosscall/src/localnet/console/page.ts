import type { FastifyReply, FastifyRequest } from "fastify";

import { type Content, markup, type Markup } from "../../replay/report/html/markup.ts";
import type { Access, Rights } from "./access.ts";
import type { AssetUrls } from "./assets.ts";

/** Content security policy that forbids inline styles and scripts, other hosts, and frames. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Configuration of htmx, which restricts it to the policy and shows service errors in place. */
const HTMX_CONFIG = JSON.stringify({
  allowEval: false,
  allowScriptTags: false,
  historyEnabled: false,
  includeIndicatorStyles: false,
  responseHandling: [
    { code: "204", swap: false },
    { code: "...", swap: true },
  ],
  selfRequestsOnly: true,
});

const SECTIONS = [
  { path: "/console/requests", title: "Requests", key: "r" },
  { path: "/console/fills", title: "Fills", key: "f" },
  { path: "/console/chains", title: "Chains", key: "c" },
  { path: "/console/quote", title: "Quote", key: "q" },
] as const;

/** Two chains and the arc of a call between them. */
const BRAND = markup`<svg viewBox="0 0 24 24" width="22" height="22" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" aria-hidden="true"><circle cx="5" cy="16" r="3.2"/><circle cx="19" cy="16" r="3.2"/><path d="M5 9c3-5 11-5 14 0"/></svg>`;

const KEYS: readonly (readonly [keys: string, effect: string])[] = [
  ["/", "Search"],
  ["j k", "Next, previous row"],
  ["Enter", "Open the row"],
  ...SECTIONS.map(({ key, title }) => [`g ${key}`, title] as const),
  ["?", "Show these keys"],
  ["Esc", "Close them"],
];

export interface Page {
  readonly title: string;
  readonly content: Content;
  /** 200 by default. */
  readonly status?: number;
}

export interface Pages {
  send(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply;
  /** Sends a part of a page to htmx. */
  sendPart(reply: FastifyReply, part: Markup): FastifyReply;
}

export function createPages(assets: AssetUrls, access: Pick<Access, "rightsOf">): Pages {
  const urlOf = (name: string): string => assets.get(name) ?? "";
  return {
    send(request, reply, { title, content, status = 200 }) {
      const rights = access.rightsOf(request);
      const html = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="htmx-config" content="${HTMX_CONFIG}">
<title>${title} – crosscall</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${urlOf("console.css")}">
${["htmx.js", "sse.js", "console.js"].map((name) => markup`<script src="${urlOf(name)}" defer></script>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="/console" aria-label="crosscall, the console's first page">${BRAND}crosscall</a>
<nav aria-label="Sections">${SECTIONS.map((section) => navLink(section, request.url))}</nav>
${rightsNote(rights, request.url)}
</header>
<main id="main" tabindex="-1">
${content}
</main>
<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>
<dl>${KEYS.map(([keys, effect]) => markup`<dt><kbd>${keys}</kbd></dt><dd>${effect}</dd>`)}</dl>
<form method="dialog"><button>Close</button></form></dialog>
<p id="announcement" class="hidden" role="status"></p>
</body>
</html>
`;
      return reply.status(status).type("text/html; charset=utf-8").send(html.text);
    },
    sendPart: (reply, part) => reply.type("text/html; charset=utf-8").send(part.text),
  };
}

function navLink({ path, title, key }: (typeof SECTIONS)[number], url: string): Markup {
  const current = url.startsWith(path) ? markup` aria-current="page"` : "";
  return markup` <a href="${path}" data-key="${key}"${current}>${title}</a>`;
}

function rightsNote(rights: Rights, url: string): Markup {
  switch (rights) {
    case "open":
      return markup`<p class="quiet"><button type="button" class="link" data-dialog="keys">Keys (?)</button></p>`;
    case "readOnly":
      return markup`<p class="status idle">read only</p>`;
    case "locked":
      return markup`<form class="unlock" method="post" action="/console/unlock"><input type="hidden" name="back" value="${url}">
<label>Admin key <input type="password" name="key" required autocomplete="off"></label> <button>Unlock</button></form>`;
  }
}
