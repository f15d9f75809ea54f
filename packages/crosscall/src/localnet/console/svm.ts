import * as Type from "typebox";

import { CrosscallError } from "@crosscall/protocol/core";
import { depositoryStateOf, vaultOf } from "@crosscall/protocol/vms";
import { findFailedDeposits, findSvmReport, isSvmChain, isSvmSignature } from "../../replay/svm/replaySvm.ts";
import { svmReportSections, svmVerdict } from "../../replay/svm/report/svmReportHtml.ts";
import { svmFailureFacts, svmHeadline } from "../../replay/svm/report/svmSummary.ts";
import { openSvmNode, type SvmListed, type SvmNode } from "../../replay/svm/svmNode.ts";
import type { SvmCall, SvmNames, SvmReport } from "../../replay/svm/svmReport.ts";
import { markup, type Markup } from "../../replay/report/html/markup.ts";
import { facts as factList } from "../../replay/report/html/page.ts";
import type { LedgerUser, Pricer, StoreUser } from "../market/market.ts";
import { findSimulatedChain } from "../market/simulatedChains.ts";
import { rejectUnknown } from "../market/rejection.ts";
import type { ServiceApp } from "../service/route.ts";
import { findRequestByOrderId, type RequestRow } from "../store/requests/requests.ts";
import { commandBlocks } from "./commands.ts";
import { chainLabel } from "./chainLogo.ts";
import { alert, callout, copyable, copyBlock, emptyState, shortText, statusBadge } from "./elements.ts";
import type { Page, Pages } from "./page.ts";

type Parts = LedgerUser & Pricer;

/** An SVM chain that this network runs. */
interface SvmChain {
  readonly id: number;
  readonly name: string;
  /** URL of the JSON-RPC API. */
  readonly url: string;
  readonly depository: string;
  readonly solver: string;
}

export function listSvmChains({ ledgers }: LedgerUser): SvmChain[] {
  return [...ledgers].flatMap(([id, { url }]) => {
    const chain = isSvmChain(id) ? findSimulatedChain(id) : undefined;
    return chain === undefined ? [] : [{ ...chain, url }];
  });
}

/** Returns undefined if the network does not run this chain, or the chain is not an SVM chain. */
export function findSvmChain(parts: LedgerUser, chainId: number): SvmChain | undefined {
  return listSvmChains(parts).find(({ id }) => id === chainId);
}

/** Adds the page of a transaction of an SVM chain. */
export function addSvmPages(scope: ServiceApp, parts: Parts & StoreUser & { readonly pages: Pages }): void {
  const { pages } = parts;
  const params = Type.Object({ chainId: Type.Integer(), signature: Type.String() });
  const path = "/console/chains/:chainId/transactions/:signature";
  scope.get(path, { schema: { hide: true, params } }, async (request, reply) => {
    const { chainId, signature } = request.params;
    const chain = findSvmChain(parts, chainId);
    const isSignature = chain !== undefined && isSvmSignature(signature);
    const report = isSignature ? await findSvmReport(openNode(chain), signature, svmNames(parts, chain)) : undefined;
    if (chain === undefined || report === undefined) throw rejectUnknown(`transaction ${signature}`);
    const row = await requestOf(parts, report);
    return pages.send(request, reply, {
      title: `Transaction ${signature.slice(0, 8)}`,
      content: markup`<p class="crumbs"><a href="/console/chains">Chains</a> / <a href="/console/chains/${chainId}">${chain.name}</a> / <code>${shortText(signature)}</code></p>
<h1>Transaction</h1>
${row === undefined ? "" : markup`<p>of <a href="/console/requests/${row.id}">request <code>${shortText(row.id)}</code></a></p>`}
${svmVerdict({ report })}
${svmReportSections({ report, chainId })}
${transactionCommands(chain, signature)}`,
    });
  });
}

/** Opens the chain's node, which runs in this process. */
function openNode({ id, url }: SvmChain): SvmNode {
  return openSvmNode({ rpcUrl: url, chainId: id, signal: new AbortController().signal });
}

/** Names the network's accounts and currencies on the chain. */
export function svmNames({ currencies }: Pricer, { id, solver, depository }: SvmChain): SvmNames {
  return {
    accounts: {
      [solver]: "solver",
      [vaultOf(depository)]: "vault of the depository",
      [depositoryStateOf(depository)]: "state of the depository",
    },
    currencies: currencies.ofChain(id).map(({ currency }) => currency),
  };
}

const ORDER_ID = /^0x[0-9a-f]{64}$/u;

/** Returns the request whose order id is in a deposit or a memo of the transaction. */
async function requestOf({ store }: StoreUser, { instructions }: SvmReport): Promise<RequestRow | undefined> {
  const ids = (call: SvmCall): string[] => [
    ...call.arguments.flatMap(({ value }) => (ORDER_ID.test(value) ? [value] : [])),
    ...call.calls.flatMap(ids),
  ];
  for (const id of new Set(instructions.flatMap(ids))) {
    const found = await findRequestByOrderId(store.db, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function transactionCommands({ id, url }: SvmChain, signature: string): Markup {
  const options = { encoding: "json", maxSupportedTransactionVersion: 0 };
  const body = { jsonrpc: "2.0", id: 1, method: "getTransaction", params: [signature, options] };
  return commandBlocks({
    curl: `curl ${url} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`,
    sdk: `import { createSolanaRpc, signature } from "@solana/kit";

const rpc = createSolanaRpc("${url}");
const transaction = await rpc
  .getTransaction(signature("${signature}"), ${JSON.stringify(options)})
  .send();`,
    cli: `crosscall replay ${signature} --rpc-url ${id}=${url}`,
  });
}

/** Renders a link to the page of a transaction. Renders nothing if the network does not run its chain. */
export function svmTransactionLink(parts: LedgerUser, chainId: number, signature: string, what: string): Markup {
  if (findSvmChain(parts, chainId) === undefined || !isSvmSignature(signature)) return markup``;
  return markup` <a href="${pathOf(chainId, signature)}" aria-label="details of the ${what}">details</a>`;
}

function pathOf(chainId: number, signature: string): string {
  return `/console/chains/${chainId}/transactions/${signature}`;
}

/** Renders why deposits of a request failed on its chain. Renders nothing if none did, or it is already paid. */
export async function failedDepositNotes(parts: Parts, request: RequestRow): Promise<Markup> {
  const chain = findSvmChain(parts, request.origin_chain_id);
  if (chain === undefined || !["waiting", "depositing"].includes(request.status)) return markup``;
  let reports: readonly SvmReport[];
  try {
    const { user, order_id: orderId } = request;
    reports = await findFailedDeposits(openNode(chain), { user, orderId }, svmNames(parts, chain));
  } catch (error) {
    if (!(error instanceof CrosscallError)) throw error;
    return alert(error.message);
  }
  return markup`${reports.map((report) => {
    const { source } = report;
    const signature = source.kind === "transaction" ? source.signature : "";
    return callout(
      "bad",
      "A deposit failed on its chain",
      markup`<p>${svmHeadline(report, "deposit")}</p>
${factList(svmFailureFacts(report))}<p>${copyable(signature)}${svmTransactionLink(parts, chain.id, signature, "failed deposit")}</p>`,
    );
  })}`;
}

/** Number of transactions on the page of a chain. */
const LISTED = 25;

/** Returns the page of an SVM chain, with its latest deposits and payments; undefined for another chain. */
export async function svmChainPage(parts: Parts, chainId: number): Promise<Page | undefined> {
  const chain = findSvmChain(parts, chainId);
  if (chain === undefined) return undefined;
  const node = openNode(chain);
  const lists = await Promise.all(
    [chain.depository, chain.solver].map((account) => node.transactionsOf(account, LISTED)),
  );
  const listed = new Map(lists.flat().map((each) => [each.signature, each]));
  const rows = [...listed.values()].toSorted((one, other) => other.slot - one.slot).slice(0, LISTED);
  return {
    title: chain.name,
    content: markup`<p class="crumbs"><a href="/console/chains">Chains</a> / ${chainId}</p>
<h1>${chainLabel(chainId, chain.name)}</h1>
<p>${copyable(chain.url)}</p>
${rows.length === 0 ? emptyState("No transactions yet", markup`<p>Deposits, fills and refunds appear here.</p>`) : transactionTable(chainId, rows)}
${copyBlock("Command", `crosscall replay <signature> --rpc-url ${chainId}=${chain.url}`)}`,
  };
}

function transactionTable(chainId: number, rows: readonly SvmListed[]): Markup {
  return markup`<div class="scroll" tabindex="0"><table><caption>Latest transactions of the depository and the solver</caption>
<thead><tr><th scope="col" class="number">slot</th><th scope="col">transaction</th><th scope="col">outcome</th></tr></thead><tbody>${rows.map(
    ({ slot, signature, isFailed }) =>
      markup`<tr><td class="number">${slot}</td><td><a href="${pathOf(chainId, signature)}"><code>${shortText(signature)}</code></a></td><td>${statusBadge(isFailed ? "failure" : "success")}</td></tr>\n`,
  )}</tbody></table></div>`;
}
