import { numberToHex, zeroAddress } from "viem";
import { sign } from "viem/accounts";

import { openChainRpc } from "../../src/oracle/rpc/openChainRpc.ts";
import { createEvmReader } from "../../src/oracle/vms/ethereum/evmReader.ts";
import { encodeAction } from "../../sdk/src/protocol/attestation/action.ts";
import { onchainId } from "../../sdk/src/protocol/attestation/deterministicId.ts";
import { createExecutionHasher, depositExecutionKey } from "../../sdk/src/protocol/attestation/execution.ts";
import { hubTokenId, orderAddress } from "../../sdk/src/protocol/attestation/hubIds.ts";

/** CPU time of the parts of an attestation, each measured alone in a loop in this process. */
export interface Stages {
  /** Reads a receipt. Each deposit has a different one. */
  readonly rpcMs: number;
  /** Derives IDs, accounts, tokens, the action and the digest. */
  readonly hashingMs: number;
  readonly signingMs: number;
}

const ROUNDS = 2_000;

const hash = createExecutionHasher({ oracleVersion: "2", evmChainId: 1, oracleAddress: zeroAddress });

/** Measures the parts. Their sum is the lower bound of an attestation without HTTP. */
export async function measureStages(rpcUrl: string): Promise<Stages> {
  const observer = { called: () => undefined, failed: () => undefined };
  const rpc = openChainRpc("local", [rpcUrl], {}, { observer, clock: { now: () => 0 } });
  const reader = createEvmReader(rpc);
  try {
    return {
      // As many concurrent reads as connections in the measured load, which also sends them in batches.
      rpcMs: await timeEach(8, async (round) => {
        await reader.receipt(numberToHex(round, { size: 32 }));
      }),
      hashingMs: await timeEach(1, (round) => {
        digestOf(round);
        return Promise.resolve();
      }),
      signingMs: await timeEach(1, async (round) => {
        const digest = numberToHex(round + 1, { size: 32 });
        await sign({ hash: digest, privateKey: `0x${"5a".repeat(32)}`, to: "hex" });
      }),
    };
  } finally {
    rpc.close();
  }
}

function digestOf(round: number): string {
  const transactionId = numberToHex(round, { size: 32 });
  const to = orderAddress({
    chainId: "local",
    depositor: zeroAddress,
    depositTimestamp: round,
    depositId: transactionId,
  });
  onchainId("local", transactionId, 0);
  const action = encodeAction({ type: "mint", to, tokenId: hubTokenId("local", zeroAddress), amount: 5n });
  return hash({ idempotencyKey: depositExecutionKey("local", transactionId), actions: [action] });
}

async function timeEach(atOnce: number, work: (round: number) => Promise<void>): Promise<number> {
  const run = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, (_, index) => work(round + index)));
    }
  };
  // One run without measurement, so that the engine has compiled the code.
  await run();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / ROUNDS;
}
