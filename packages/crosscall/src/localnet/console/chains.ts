import * as Type from "typebox";
import { type Address, erc20Abi, parseUnits } from "viem";

import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { formatAmount } from "@crosscall/protocol/encoding";
import { localAccountList } from "../devchain/accounts.ts";
import type { ChainControls, ChainState } from "../devchain/chainControls.ts";
import { CHAIN_LIMITS } from "../devchain/chainLimits.ts";
import type { DevChain } from "../devchain/devChain.ts";
import { rejectField, rejectUnknown } from "../market/rejection.ts";
import { markup, type Markup } from "../../replay/report/html/markup.ts";
import { section, toHtmlTable } from "../../replay/report/html/page.ts";
import { shown } from "../../replay/report/notation.ts";
import type { Table } from "../../replay/report/tables.ts";
import { ADMIN_ROUTES } from "../service/admin/routes.ts";
import type { ServiceApp } from "../service/route.ts";
import type { KeyDisplay } from "./consoleParts.ts";
import type { ChainReader, LedgerUser, Pricer } from "../market/market.ts";
import type { ChainController } from "../service/serviceParts.ts";
import { adminCurl, commandBlocks, serviceOf } from "./commands.ts";
import { chainLabel } from "./chainLogo.ts";
import type { Controls } from "./controls.ts";
import { copyable, definitions } from "./elements.ts";
import type { Pages } from "./page.ts";
import { listSvmChains, svmChainPage } from "./svm.ts";

interface ChainParts extends Pricer, ChainReader, LedgerUser, ChainController, KeyDisplay {
  readonly pages: Pages;
  readonly controls: Controls;
}

const params = Type.Object({ chainId: Type.Integer() });

/** Adds the pages of the chains, with their blocks, accounts and contracts, and the controls of `crosscall chain`. */
export function addChainPages(scope: ServiceApp, parts: ChainParts): void {
  const { pages, controls } = parts;
  const requireChain = (chainId: number): { readonly chain: DevChain; readonly control: ChainControls } => {
    const [chain, control] = [parts.chains.get(chainId), parts.chainControls.get(chainId)];
    if (chain === undefined || control === undefined) throw rejectUnknown(`chain ${chainId}`);
    return { chain, control };
  };
  /** Adds the routes of a chain's state and blocks, which the page polls. */
  const readHead = async (chainId: number): Promise<{ readonly seen: string; readonly part: Markup }> => {
    const { chain, control } = requireChain(chainId);
    const state = await control.state();
    const seen = [state.blockHash, state.miningIntervalMs, state.latencyMs].join("-");
    const part = markup`<div id="head" hx-get="/console/chains/${chainId}/head?seen=${seen}" hx-trigger="every 1s" hx-swap="outerHTML">
${stateFacts(state)}${section("Blocks", toHtmlTable(await blockTable(chain)))}</div>`;
    return { seen, part };
  };

  scope.get("/console/chains", { schema: { hide: true } }, async (request, reply) => {
    const rows = await Promise.all(
      [...parts.chains.values()].map(async ({ id, name, rpcUrl }) => {
        const { blockNumber } = await requireChain(id).control.state();
        return markup`<tr><td><a href="/console/chains/${id}">${chainLabel(id, name)}</a></td><td class="number">${id}</td><td class="number">${blockNumber}</td><td>${copyable(rpcUrl)}</td></tr>`;
      }),
    );
    const svmRows = listSvmChains(parts).map(
      ({ id, name, url }) =>
        markup`<tr><td><a href="/console/chains/${id}">${chainLabel(id, name)}</a></td><td class="number">${id}</td><td></td><td>${copyable(url)}</td></tr>`,
    );
    return pages.send(request, reply, {
      title: "Chains",
      content: markup`<h1>Chains</h1>
<div class="scroll" tabindex="0"><table><caption>Chains that run here</caption>
<thead><tr><th scope="col">chain</th><th scope="col" class="number">id</th><th scope="col" class="number">block</th><th scope="col">JSON-RPC</th></tr></thead><tbody>${rows}${svmRows}</tbody></table></div>`,
    });
  });

  scope.get("/console/chains/:chainId", { schema: { hide: true, params } }, async (request, reply) => {
    const { chainId } = request.params;
    const svm = await svmChainPage(parts, chainId);
    if (svm !== undefined) return pages.send(request, reply, svm);
    const { chain } = requireChain(chainId);
    const { part } = await readHead(chainId);
    const symbols = parts.currencies.ofChain(chainId).map(({ currency }) => currency.symbol);
    return pages.send(request, reply, {
      title: chain.name,
      content: markup`<p class="crumbs"><a href="/console/chains">Chains</a> / ${chainId}</p>
<h1>${chainLabel(chainId, chain.name)}</h1>
<p>${copyable(chain.rpcUrl)}</p>
${part}
${controls.mayChange(request) ? chainForms(chainId, symbols) : ""}
${section("Accounts", toHtmlTable(await balanceTable(chain, parts)))}
${section("Contracts", toHtmlTable(contractTable(chain)))}
${chainCommands(serviceOf(request, parts).url, chainId)}`,
    });
  });

  scope.get(
    "/console/chains/:chainId/head",
    { schema: { hide: true, params, querystring: Type.Object({ seen: Type.String() }) } },
    async (request, reply) => {
      const { seen, part } = await readHead(request.params.chainId);
      return seen === request.query.seen ? reply.status(204).send() : pages.sendPart(reply, part);
    },
  );

  const pageOf = (chainId: number): string => `/console/chains/${chainId}`;
  const blocksForm = { schema: { hide: true, params, body: Type.Object({ blocks: Type.String() }) } };
  for (const name of ["mine", "reorg"] as const) {
    scope.post(`/console/chains/:chainId/${name}`, blocksForm, async (request, reply) => {
      const body = { blocks: Number(request.body.blocks) };
      await controls.change(request, ADMIN_ROUTES.chains[name], { params: request.params, body });
      return reply.redirect(pageOf(request.params.chainId), 303);
    });
  }
  const latencyForm = Type.Object({ latencyMs: Type.String() });
  scope.post(
    "/console/chains/:chainId/latency",
    { schema: { hide: true, params, body: latencyForm } },
    async (request, reply) => {
      const body = { latencyMs: Number(request.body.latencyMs) };
      await controls.change(request, ADMIN_ROUTES.chains.latency, { params: request.params, body });
      return reply.redirect(pageOf(request.params.chainId), 303);
    },
  );
  const miningForm = Type.Object({ intervalMs: Type.Optional(Type.String()), automatic: Type.Optional(Type.String()) });
  scope.post(
    "/console/chains/:chainId/mining",
    { schema: { hide: true, params, body: miningForm } },
    async (request, reply) => {
      const { intervalMs } = request.body;
      const body = intervalMs === undefined ? { automatic: true as const } : { intervalMs: Number(intervalMs) };
      await controls.change(request, ADMIN_ROUTES.chains.mining, { params: request.params, body });
      return reply.redirect(pageOf(request.params.chainId), 303);
    },
  );
  const faucetForm = Type.Object({ address: Type.String(), currency: Type.String(), amount: Type.String() });
  scope.post(
    "/console/chains/:chainId/faucet",
    { schema: { hide: true, params, body: faucetForm } },
    async (request, reply) => {
      const { chainId } = request.params;
      const { address, currency, amount } = request.body;
      const body = { address, currency, amount: toSmallestUnit(parts, chainId, currency, amount) };
      await controls.change(request, ADMIN_ROUTES.chains.faucet, { params: request.params, body });
      return reply.redirect(pageOf(chainId), 303);
    },
  );
}

function toSmallestUnit({ currencies }: Pricer, chainId: number, symbolOrAddress: string, amount: string): string {
  const known = currencies
    .ofChain(chainId)
    .find(({ currency }) => currency.symbol === symbolOrAddress || isSameAddress(currency.address, symbolOrAddress));
  if (known === undefined) throw rejectUnknown(`currency ${symbolOrAddress}`);
  if (!/^\d{1,40}(?:\.\d{1,40})?$/u.test(amount)) {
    throw rejectField("amount", amount, "must be a decimal number", "Pass a number, for example 1.5.");
  }
  return parseUnits(amount, known.currency.decimals).toString();
}

function stateFacts({ blockNumber, blockHash, miningIntervalMs, latencyMs }: ChainState): Markup {
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
  if (intervalMs === undefined) return "one block per transaction";
  return intervalMs === CHAIN_LIMITS.intervalMs ? "paused" : `every ${intervalMs} ms`;
}

/** Renders the same controls as `crosscall chain`. */
function chainForms(chainId: number, symbols: readonly string[]): Markup {
  const form = (name: string, fields: Markup, button: string, kind = ""): Markup =>
    markup`<form method="post" action="/console/chains/${chainId}/${name}">${fields}<button class="${kind}">${button}</button></form>`;
  const number = (label: string, name: string, value: number, minimum: number, maximum: number): Markup =>
    markup`<label>${label} <input type="number" name="${name}" value="${value}" min="${minimum}" max="${maximum}" required></label>`;
  const { mineBlocks, reorgBlocks, minimumIntervalMs, intervalMs, latencyMs } = CHAIN_LIMITS;
  return markup`${section(
    "Controls",
    markup`<div class="actions">
${form("mine", number("Blocks", "blocks", 1, 1, mineBlocks), "Mine")}
${form("reorg", number("Last blocks", "blocks", 1, 1, reorgBlocks), "Replace with a reorg", "danger")}
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

function chainCommands(url: string, chainId: number): Markup {
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

const BLOCKS = 10;

/** Returns a table of the latest blocks, newest first. */
async function blockTable({ client }: DevChain): Promise<Table> {
  const latest = await client.getBlockNumber();
  const numbers = Array.from({ length: BLOCKS }, (_, index) => latest - BigInt(index)).filter((number) => number >= 0n);
  const blocks = await Promise.all(numbers.map((blockNumber) => client.getBlock({ blockNumber })));
  return {
    title: "Latest blocks",
    columns: [
      { title: "block", isNumber: true },
      { title: "time" },
      { title: "transactions", isNumber: true },
      { title: "gas", isNumber: true },
      { title: "hash" },
    ],
    rows: blocks.map(({ number, timestamp, transactions, gasUsed, hash }) => [
      String(number),
      new Date(Number(timestamp) * 1_000).toISOString(),
      String(transactions.length),
      String(gasUsed),
      hash,
    ]),
  };
}

/** Returns a table of the balances of the network's accounts and contracts in the chain's currencies. */
async function balanceTable(chain: DevChain, { currencies }: Pricer): Promise<Table> {
  const held = currencies.ofChain(chain.id).map(({ currency }) => currency);
  const accounts: readonly (readonly [string, Address])[] = [
    ...localAccountList.map(({ name, address }) => [name, address] as const),
    ["router", chain.contracts.router],
    ["depository", chain.contracts.depository],
  ];
  const balanceOf = (account: Address, currency: string): Promise<bigint> =>
    isEvmNative(currency)
      ? chain.client.getBalance({ address: account })
      : chain.client.readContract({
          address: currency as Address,
          abi: erc20Abi,
          functionName: "balanceOf",
          args: [account],
        });
  const rows = await Promise.all(
    accounts.map(async ([name, address]) => [
      name,
      address,
      ...(await Promise.all(
        held.map(async ({ address: currency, decimals }) => formatAmount(await balanceOf(address, currency), decimals)),
      )),
    ]),
  );
  return {
    title: "Accounts and balances",
    columns: [
      { title: "account" },
      { title: "address" },
      ...held.map(({ symbol }) => ({ title: shown(symbol, 20), isNumber: true })),
    ],
    rows,
  };
}

function contractTable({ contracts }: DevChain): Table {
  return {
    title: "Contracts",
    columns: [{ title: "contract" }, { title: "address" }],
    rows: Object.entries(contracts).map(([name, address]) => [name, String(address)]),
  };
}
