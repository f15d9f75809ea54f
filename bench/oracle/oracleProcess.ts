import { createOracleLog } from "../../packages/oracle/src/log.ts";
import { startWorkers } from "../../packages/oracle/src/workers/startWorkers.ts";
import { BENCH_KEY } from "./measureLoad.ts";

// The oracle in separate processes. Sends its URL to the parent process, and exits with it.
const [httpRpcUrl = "", workers] = process.argv.slice(2);
const oracle = await startWorkers(
  {
    settings: {
      environment: "bench",
      signing: { module: "raw-private-key", privateKey: `0x${"5a".repeat(32)}` },
      apiKeys: [{ key: BENCH_KEY, label: "bench" }],
      peers: [],
      peerTimeoutMs: 1000,
      signers: undefined,
      signersThreshold: 0,
      port: 0,
      workers: Number(workers),
      rateLimit: { max: Number.MAX_SAFE_INTEGER, windowMs: 1000 },
      version: undefined,
    },
    chains: [
      {
        id: "local",
        vmType: "ethereum-vm",
        httpRpcUrl,
        additionalData: {},
        depository: "0x4cd00e387622c35bddb9b4c962c136462338bc31",
      },
    ],
    hub: {
      id: "relay",
      evmChainId: 1,
      httpRpcUrl,
      oracleVersion: "2",
      oracleAddress: "0x795f9464ee05a34fe1e18925ca4e4753dcd60058",
    },
  },
  { log: createOracleLog("error"), logFd: 1 },
);
process.send?.({ url: oracle.url });
process.on("disconnect", () => process.exit());
