import type { HubConfig } from "../../../../packages/oracle/src/chainFiles.ts";
import type { Oracle } from "../../../../packages/oracle/src/startOracle.ts";
import { blockHashOf, coreHeader, coreShape, esploraShape, type TestTransaction, txidOf } from "./bitcoinShapes.ts";
import { startFamilyOracle } from "./familyOracle.ts";
import { jsonRpc, type RecordedCall, type RecordedServer, startRecordedServer } from "./recordedServer.ts";

/** The chain that the servers show. */
export interface ShownChain {
  readonly tip: number;
  readonly transactions: readonly TestTransaction[];
  /** `<txid>:<vout>` of spent outputs. */
  readonly spent: ReadonlySet<string>;
}

export interface BitcoinOraclesOptions {
  readonly id: string;
  readonly depository: string;
  readonly hubUrl: string;
  readonly hub: Partial<HubConfig>;
}

/** An oracle that reads a node, and one that reads an explorer. */
export interface BitcoinOracles {
  /** Confirmed transactions that spend an output, by `<txid>:<vout>`, for the explorer. */
  readonly spenders: Map<string, string>;
  readonly byNode: Oracle;
  readonly byExplorer: Oracle;
  close(): Promise<void>;
}

/** Starts oracles over recorded response shapes of a node and of an explorer. */
export async function startBitcoinOracles(
  chain: ShownChain,
  { id, depository, hubUrl, hub }: BitcoinOraclesOptions,
): Promise<BitcoinOracles> {
  const spenders = new Map<string, string>();
  const [node, explorer] = [
    await startRecordedServer(answerNode(chain)),
    await startRecordedServer(answerExplorer(chain, spenders)),
  ];
  const start = ({ url }: RecordedServer, additionalData: object): Promise<Oracle> =>
    startFamilyOracle({
      chain: { id, vmType: "bitcoin-vm", httpRpcUrl: url, depository, additionalData },
      hubUrl,
      hub,
    });
  const byNode = await start(node, {});
  const byExplorer = await start(explorer, { esploraCompatibleApiUrl: explorer.url });
  return {
    spenders,
    byNode,
    byExplorer,
    async close() {
      await byNode.close();
      await byExplorer.close();
      node.close();
      explorer.close();
    },
  };
}

function answerNode({ tip, transactions, spent }: ShownChain) {
  return jsonRpc((method, [first, vout]) => {
    if (method === "getblockcount") return tip;
    if (method === "getblockheader") {
      const block = transactions.flatMap((one) => one.block ?? []).find((one) => blockHashOf(one) === first);
      return block === undefined ? null : coreHeader(block, tip);
    }
    const transaction = transactions.find(({ txid }) => txid === first);
    if (transaction === undefined) return null;
    const shape = coreShape(transaction, tip);
    if (method === "getrawtransaction") return shape;
    const output = shape.vout[Number(vout)];
    if (output === undefined || spent.has(`${String(first)}:${String(vout)}`)) return null;
    const { value, scriptPubKey } = output;
    return { bestblock: txidOf("best"), confirmations: 4, value, scriptPubKey, coinbase: false };
  });
}

function answerExplorer({ tip, transactions, spent }: ShownChain, spenders: ReadonlyMap<string, string>) {
  return ({ path }: RecordedCall) => {
    if (path === "/blocks/tip/height") return { body: `${tip}` };
    const [, , id = "", part, vout = ""] = path.split("/");
    const transaction = transactions.find(({ txid }) => txid === id);
    if (transaction === undefined) return { status: 404, body: "Transaction not found" };
    if (part === undefined) return { body: esploraShape(transaction) };
    const spender = spenders.get(`${id}:${vout}`);
    if (spender !== undefined) return { body: { spent: true, txid: spender, vin: 0, status: { confirmed: true } } };
    return spent.has(`${id}:${vout}`)
      ? { body: { spent: true, txid: txidOf("next"), vin: 0, status: { confirmed: false } } }
      : { body: { spent: false } };
  };
}
