import type { HubConfig } from "../../../../packages/oracle/src/chainFiles.ts";
import type { Oracle } from "../../../../packages/oracle/src/startOracle.ts";
import type { BitcoinChain } from "./bitcoinShapes.ts";
import { startFamilyOracle } from "./familyOracle.ts";
import { jsonRpc, type RecordedServer, startRecordedServer } from "./recordedServer.ts";

export interface BitcoinOraclesOptions {
  readonly id: string;
  readonly depository: string;
  readonly hubUrl: string;
  readonly hub: Partial<HubConfig>;
}

/** Oracles that read from a node and from an explorer. */
export interface BitcoinOracles {
  readonly byNode: Oracle;
  readonly byExplorer: Oracle;
  close(): Promise<void>;
}

export async function startBitcoinOracles(
  chain: BitcoinChain,
  { id, depository, hubUrl, hub }: BitcoinOraclesOptions,
): Promise<BitcoinOracles> {
  const node = await startRecordedServer(jsonRpc((method, params) => chain.answerRpc(method, params)));
  const explorer = await startRecordedServer(({ path }) => chain.respondExplorer(path));
  const start = ({ url }: RecordedServer, additionalData: object): Promise<Oracle> =>
    startFamilyOracle({
      chain: { id, vmType: "bitcoin-vm", httpRpcUrl: url, depository, additionalData },
      hubUrl,
      hub,
    });
  const byNode = await start(node, {});
  const byExplorer = await start(explorer, { esploraCompatibleApiUrl: explorer.url });
  return {
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
