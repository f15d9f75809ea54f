import { expect } from "chai";

import { RpcError } from "../../../../packages/oracle/src/rpc/rpcErrors.ts";
import { BITCOIN_VM } from "../../../../packages/oracle/src/vms/bitcoin/bitcoinVm.ts";
import { ETHEREUM_VM } from "../../../../packages/oracle/src/vms/ethereum/evmFamily.ts";
import { SOLANA_VM } from "../../../../packages/oracle/src/vms/solana/solanaVm.ts";
import { TRON_VM } from "../../../../packages/oracle/src/vms/tron/tronVm.ts";
import type { VmChainOptions, VmFamily } from "../../../../packages/oracle/src/vms/vmChain.ts";
import {
  jsonRpc,
  type RecordedCall,
  type RecordedResponse,
  startRecordedServer,
} from "../../../integration/oracle/support/recordedServer.ts";

const OURS = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";
const OTHER = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";

type Options = Pick<VmChainOptions, "additionalData" | "hubChainId">;

interface Case {
  readonly family: VmFamily;
  readonly options: Options;
  readonly answer: (served: string) => (call: RecordedCall) => RecordedResponse;
}

const genesis: Options = { additionalData: { genesisHash: OURS } };

const CASES: Readonly<Record<string, Case>> = {
  "EVM nodes, by the chain id": {
    family: ETHEREUM_VM,
    options: { additionalData: {}, hubChainId: "8453" },
    answer: (served) => jsonRpc(() => (served === OURS ? "0x2105" : "0x7a69")),
  },
  "Tron nodes, by the first block": {
    family: TRON_VM,
    options: genesis,
    answer: (served) => jsonRpc((_method, [number]) => (number === "0x0" ? { hash: served } : null)),
  },
  "Solana nodes, by the first block": {
    family: SOLANA_VM,
    options: genesis,
    answer: (served) => jsonRpc((method) => (method === "getGenesisHash" ? served : null)),
  },
  "Bitcoin nodes, by the first block": {
    family: BITCOIN_VM,
    options: genesis,
    answer: (served) => jsonRpc((method, [height]) => (method === "getblockhash" && height === 0 ? served : null)),
  },
};

async function checkOf({ family, options }: Case, answer: (call: RecordedCall) => RecordedResponse, explorer = false) {
  const server = await startRecordedServer(answer);
  const { additionalData, ...rest } = options;
  const chain = family.open(
    {
      ...rest,
      ...{ id: "chain", rpcUrls: [server.url], depository: undefined },
      additionalData: explorer ? { ...additionalData, esploraCompatibleApiUrl: server.url } : additionalData,
    },
    {
      clock: { now: () => 0 },
      observer: { called: () => undefined, failed: () => undefined },
      hub: { mappingEntry: () => Promise.resolve(undefined) },
    },
  );
  const failure = await chain.checkChain().then(
    () => undefined,
    (error: unknown) => error,
  );
  chain.close();
  server.close();
  return failure instanceof RpcError ? failure.failure : failure;
}

describe("the check of an endpoint's chain", () => {
  for (const [name, one] of Object.entries(CASES)) {
    it(`identifies ${name}`, async () => {
      expect(await checkOf(one, one.answer(OURS))).to.equal(undefined);
      expect(await checkOf(one, one.answer(OTHER))).to.equal("wrong-chain");
    });
  }

  it("identifies Bitcoin explorers by their first block", async () => {
    const one = CASES["Bitcoin nodes, by the first block"]!;
    const answer =
      (served: string) =>
      ({ path }: RecordedCall): RecordedResponse =>
        path === "/blocks/0" ? { body: [{ id: served, height: 0 }] } : { status: 404, body: "" };
    expect(await checkOf(one, answer(OURS), true)).to.equal(undefined);
    expect(await checkOf(one, answer(OTHER), true)).to.equal("wrong-chain");
  });
});
