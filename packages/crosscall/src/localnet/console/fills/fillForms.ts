import { FAIL_REASONS, REFUND_FAIL_REASONS } from "@crosscall/protocol/schema";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { section, toHtmlTable } from "../../../replay/report/html/page.ts";
import { shown } from "../../../replay/report/notation.ts";
import { DEPOSIT_CHANGES } from "../../service/admin/depositChanges.ts";
import type { FillHold, HeldFill } from "../../service/admin/fillSchemas.ts";
import { adminCurl, commandBlocks } from "../commands.ts";
import { shortText, timeText } from "../elements.ts";

/** Scenarios that a held fill can have; the service refuses those that need another deposit. */
const SCENARIOS = [
  "delivery",
  "stale-price",
  ...FAIL_REASONS,
  ...REFUND_FAIL_REASONS.map((reason) => `refund:${reason}`),
];

export function holdForm(): Markup {
  return section(
    "Hold and release",
    markup`<div class="actions">
<form method="post" action="/console/fills/hold"><label>Only fills with (a field=value per line)
<textarea name="filter" class="short" placeholder="destinationChainId=31338" spellcheck="false"></textarea></label><button>Hold fills</button></form>
<form method="post" action="/console/fills/release"><input type="hidden" name="oldest" value="true"><button>Release the oldest</button></form>
<form method="post" action="/console/fills/release"><input type="hidden" name="all" value="true"><button>Release all, and end the holds</button></form>
</div>`,
  );
}

export function holdTable(holds: readonly FillHold[]): Markup {
  return section(
    "Holds",
    holds.length === 0
      ? markup`<p>No fills are held from now on.</p>`
      : toHtmlTable({
          title: "What is held from now on",
          columns: [{ title: "hold", isNumber: true }, { title: "since" }, { title: "fills" }],
          rows: holds.map(({ id, createdAt, filter }) => [
            String(id),
            createdAt,
            Object.keys(filter).length === 0 ? "all" : shown(JSON.stringify(filter), 400),
          ]),
        }),
  );
}

export function heldTable(held: readonly HeldFill[], total: number, mayChange: boolean): Markup {
  if (held.length === 0) return section("Held fills", markup`<p>No fill waits.</p>`);
  const more = total > held.length ? markup`<p class="quiet">${total - held.length} more wait.</p>` : "";
  return section(
    "Held fills",
    markup`<div class="scroll" tabindex="0"><table><caption>The oldest first</caption>
<thead><tr><th scope="col">request</th><th scope="col">held at</th><th scope="col">user</th><th scope="col">chains</th><th scope="col">quoted output, smallest unit</th><th scope="col">release</th></tr></thead>
<tbody>${held.map((fill) => heldRow(fill, mayChange))}</tbody></table></div>${more}`,
  );
}

function heldRow(fill: HeldFill, mayChange: boolean): Markup {
  const { requestId, heldAt, user, originChainId, destinationChainId, expectedAmount, destinationSymbol } = fill;
  const controls = mayChange
    ? markup`<form method="post" action="/console/fills/release"><input type="hidden" name="requestId" value="${requestId}"><button aria-label="Release ${requestId} as quoted">as quoted</button> <a href="/console/fills/${requestId}">otherwise…</a></form>`
    : "";
  return markup`<tr><td><a href="/console/requests/${requestId}">${shortText(requestId)}</a></td><td>${timeText(new Date(heldAt))}</td><td>${shortText(user)}</td><td>${originChainId} → ${destinationChainId}</td><td class="number">${expectedAmount} ${shown(destinationSymbol, 20)}</td><td>${controls}</td></tr>\n`;
}

/** Every outcome of `crosscall fills release`. */
export function outcomeForm(requestId: string): Markup {
  return markup`<form class="stack" method="post" action="/console/fills/release"><input type="hidden" name="requestId" value="${requestId}">
<p>Set at most one of amount, scenario and deposit. Without one, the fill is as quoted.</p>
<label>Delivered amount, in the smallest unit <input name="amount" inputmode="numeric" autocomplete="off"></label>
<p><label><input type="checkbox" name="belowMinimum" value="true"> Allow an amount below the quoted minimum</label></p>
<label>Scenario <input name="scenario" list="scenarios" autocomplete="off"></label>
<datalist id="scenarios">${SCENARIOS.map((name) => markup`<option value="${name}"></option>`)}</datalist>
<label>Parameters of the scenario, as JSON <input name="parameters" autocomplete="off" spellcheck="false"></label>
<label>Deposit <select name="deposit"><option value="">as it is</option>${DEPOSIT_CHANGES.map((change) => markup`<option>${change}</option>`)}</select></label>
<p><button>Release</button></p>
</form>`;
}

export function fillCommands(url: string): Markup {
  return commandBlocks({
    curl: `${adminCurl(url, "/admin/fills/hold", {})}
${adminCurl(url, "/admin/fills")}
${adminCurl(url, "/admin/fills/release", { oldest: true })}`,
    sdk: `import { localnet } from "crosscall/localnet";

await using network = await localnet();
await network.fills.hold();
console.log(await network.fills.list());
await network.fills.releaseOldest();`,
    cli: `crosscall fills hold --url ${url}
crosscall fills list --url ${url}
crosscall fills release --oldest --url ${url}`,
  });
}
