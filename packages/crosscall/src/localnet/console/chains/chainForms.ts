import { CHAIN_LIMITS } from "../../devchain/chainLimits.ts";
import type { ChainState } from "../../devchain/chainControls.ts";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { section } from "../../../replay/report/html/page.ts";
import { shown } from "../../../replay/report/notation.ts";
import { adminCurl, commandBlocks } from "../commands.ts";
import { copyable, definitions } from "../elements.ts";

export function stateFacts({ blockNumber, blockHash, miningIntervalMs, latencyMs }: ChainState): Markup {
  return definitions([
    { label: "latest block", content: String(blockNumber) },
    { label: "hash", content: copyable(blockHash) },
    {
      label: "mining",
      content: miningText(miningIntervalMs),
    },
    { label: "latency", content: `${latencyMs} ms` },
  ]);
}

function miningText(intervalMs: number | undefined): string {
  if (intervalMs === undefined) return "a block per transaction";
  return intervalMs === CHAIN_LIMITS.intervalMs ? "paused" : `every ${intervalMs} ms`;
}

/** The controls of `crosscall chain`. */
export function chainForms(chainId: number, symbols: readonly string[]): Markup {
  const form = (name: string, fields: Markup, button: string, kind = ""): Markup =>
    markup`<form method="post" action="/console/chains/${chainId}/${name}">${fields}<button class="${kind}">${button}</button></form>`;
  const number = (label: string, name: string, value: number, minimum: number, maximum: number): Markup =>
    markup`<label>${label} <input type="number" name="${name}" value="${value}" min="${minimum}" max="${maximum}" required></label>`;
  const { mineBlocks, reorgBlocks, minimumIntervalMs, intervalMs, latencyMs } = CHAIN_LIMITS;
  return markup`${section(
    "Controls",
    markup`<div class="actions">
${form("mine", number("Blocks", "blocks", 1, 1, mineBlocks), "Mine")}
${form("reorg", number("Last blocks", "blocks", 1, 1, reorgBlocks), "Replace by a reorg", "danger")}
${form("mining", number("Interval, ms", "intervalMs", 1_000, minimumIntervalMs, intervalMs), "Mine at the interval")}
${form("mining", markup`<input type="hidden" name="automatic" value="true">`, "Mine on each transaction")}
${form("mining", markup`<input type="hidden" name="intervalMs" value="${intervalMs}">`, "Pause")}
${form("latency", number("Delay, ms", "latencyMs", 0, 0, latencyMs), "Delay RPC calls")}
</div>
<p class="quiet">A paused chain mines a block every ${intervalMs / 60_000} minutes, the longest interval. Mine adds blocks at once.</p>`,
  )}
${section(
  "Faucet",
  markup`<div class="actions">${form(
    "faucet",
    markup`<label>Account <input name="address" required class="wide" spellcheck="false"></label>
<label>Currency <select name="currency">${symbols.map((symbol) => markup`<option>${shown(symbol, 20)}</option>`)}</select></label>
<label>Amount, whole units <input name="amount" required inputmode="decimal" autocomplete="off"></label>`,
    "Send",
  )}</div>`,
)}`;
}

export function chainCommands(url: string, chainId: number): Markup {
  const path = `/admin/chains/${chainId}`;
  return commandBlocks({
    curl: `${adminCurl(url, path)}
${adminCurl(url, `${path}/mine`, { blocks: 1 })}
${adminCurl(url, `${path}/reorg`, { blocks: 1 })}`,
    sdk: `import { localnet } from "crosscall/localnet";

await using network = await localnet();
const chain = network.chains.find(({ id }) => id === ${chainId});
await chain?.mine({ blocks: 1 });
await chain?.reorg({ blocks: 1 });`,
    cli: `crosscall chain state ${chainId} --url ${url}
crosscall chain mine ${chainId} --blocks 1 --url ${url}
crosscall chain reorg ${chainId} --blocks 1 --url ${url}`,
  });
}
