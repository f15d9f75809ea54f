import * as Type from "typebox";
import { parseUnits } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { ChainControls } from "../../devchain/chainControls.ts";
import type { DevChain } from "../../devchain/devChain.ts";
import { refuseField, refuseUnknown } from "../../market/refusal.ts";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { section, toHtmlTable } from "../../../replay/report/html/page.ts";
import { shown } from "../../../replay/report/notation.ts";
import type { ServiceApp } from "../../service/route.ts";
import type { ServiceParts } from "../../service/serviceParts.ts";
import type { ConsoleParts } from "../consoleParts.ts";
import type { Controls } from "../controls.ts";
import { copyable } from "../elements.ts";
import type { Pages } from "../page.ts";
import { serviceOf } from "../serviceOf.ts";
import { balanceTable, blockTable, contractTable } from "./chainFacts.ts";
import { chainCommands, chainForms, stateFacts } from "./chainForms.ts";

interface ChainParts extends Pick<ConsoleParts, "chains" | "currencies" | "shownApiKey"> {
  readonly chainControls: ServiceParts["chainControls"];
  readonly pages: Pages;
  readonly controls: Controls;
}

const params = Type.Object({ chainId: Type.Integer() });

/** Controls of the admin API whose fields are numbers. */
const NUMBER_CONTROLS = ["mine", "reorg", "latency"] as const;

const numberForm = Type.Object({ blocks: Type.Optional(Type.String()), latencyMs: Type.Optional(Type.String()) });

/** Chains with their blocks, accounts, contracts and controls, as `crosscall chain`. */
export function addChainPages(scope: ServiceApp, parts: ChainParts): void {
  const { pages, controls } = parts;
  const requireChain = (chainId: number): { readonly chain: DevChain; readonly control: ChainControls } => {
    const [chain, control] = [parts.chains.get(chainId), parts.chainControls.get(chainId)];
    if (chain === undefined || control === undefined) throw refuseUnknown(`chain ${chainId}`);
    return { chain, control };
  };
  /** State and blocks, which the page reads again. */
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
        return markup`<tr><td><a href="/console/chains/${id}">${shown(name, 40)}</a></td><td class="number">${id}</td><td class="number">${blockNumber}</td><td>${copyable(rpcUrl)}</td></tr>`;
      }),
    );
    return pages.send(request, reply, {
      title: "Chains",
      content: markup`<h1>Chains</h1>
<div class="scroll" tabindex="0"><table><caption>Chains that run here</caption>
<thead><tr><th scope="col">chain</th><th scope="col" class="number">id</th><th scope="col" class="number">block</th><th scope="col">JSON-RPC</th></tr></thead><tbody>${rows}</tbody></table></div>`,
    });
  });

  scope.get("/console/chains/:chainId", { schema: { hide: true, params } }, async (request, reply) => {
    const { chainId } = request.params;
    const { chain } = requireChain(chainId);
    const { part } = await readHead(chainId);
    const symbols = parts.currencies.ofChain(chainId).map(({ currency }) => currency.symbol);
    return pages.send(request, reply, {
      title: chain.name,
      content: markup`<h1>${shown(chain.name, 40)}</h1>
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

  const change = async (chainId: number, request: Parameters<Controls["change"]>[0], name: string, body: object) => {
    await controls.change(request, { method: "POST", path: `/admin/chains/${chainId}/${name}`, body });
    return `/console/chains/${chainId}`;
  };
  for (const name of NUMBER_CONTROLS) {
    scope.post(
      `/console/chains/:chainId/${name}`,
      { schema: { hide: true, params, body: numberForm } },
      async (request, reply) => {
        const numbers = Object.fromEntries(Object.entries(request.body).map(([field, text]) => [field, Number(text)]));
        return reply.redirect(await change(request.params.chainId, request, name, numbers), 303);
      },
    );
  }
  const mining = Type.Object({ intervalMs: Type.Optional(Type.String()), automatic: Type.Optional(Type.String()) });
  scope.post(
    "/console/chains/:chainId/mining",
    { schema: { hide: true, params, body: mining } },
    async (request, reply) => {
      const { intervalMs } = request.body;
      const body = intervalMs === undefined ? { automatic: true } : { intervalMs: Number(intervalMs) };
      return reply.redirect(await change(request.params.chainId, request, "mining", body), 303);
    },
  );
  const faucet = Type.Object({ address: Type.String(), currency: Type.String(), amount: Type.String() });
  scope.post(
    "/console/chains/:chainId/faucet",
    { schema: { hide: true, params, body: faucet } },
    async (request, reply) => {
      const { chainId } = request.params;
      const { address, currency, amount } = request.body;
      const body = { address, currency, amount: toSmallestUnit(parts, chainId, currency, amount) };
      return reply.redirect(await change(chainId, request, "faucet", body), 303);
    },
  );
}

function toSmallestUnit(
  { currencies }: Pick<ConsoleParts, "currencies">,
  chainId: number,
  symbolOrAddress: string,
  amount: string,
): string {
  const known = currencies
    .ofChain(chainId)
    .find(({ currency }) => currency.symbol === symbolOrAddress || isSameAddress(currency.address, symbolOrAddress));
  if (known === undefined) throw refuseUnknown(`currency ${symbolOrAddress}`);
  if (!/^\d{1,40}(?:\.\d{1,40})?$/u.test(amount)) {
    throw refuseField("amount", amount, "must be a decimal number", "Write for example 1.5.");
  }
  return parseUnits(amount, known.currency.decimals).toString();
}
