import { type Hex, numberToHex, zeroAddress } from "viem";
import { sign } from "viem/accounts";

import { keccak256 } from "../../packages/oracle/src/attest/keccak.ts";
import { optimizeWebAssembly } from "../../packages/oracle/src/startOracle.ts";
import { createSigner } from "../../packages/oracle/src/signers/createSigner.ts";
import { encodeAction } from "../../packages/protocol/src/attestation/action.ts";
import { hubTokenId, onchainId, orderAddress } from "../../packages/protocol/src/attestation/hubIds.ts";
import { createExecutionHasher, depositExecutionKey } from "../../packages/protocol/src/attestation/execution.ts";

/** CPU time of the parts of an attestation, each measured in a loop in this process. */
export interface Parts {
  /** Time to derive ids, accounts, tokens, the action and the digest. */
  readonly hashingMs: number;
  readonly signingMs: number;
  /** Time to create the same signatures with viem. */
  readonly viemSigningMs: number;
}

const ROUNDS = 2_000;
const privateKey = `0x${"5a".repeat(32)}` as const;

const hash = createExecutionHasher({ oracleVersion: "2", evmChainId: 1, oracleAddress: zeroAddress }, keccak256);

/** Measures the parts. Their sum is the lower bound for an attestation without HTTP. */
export async function measureParts(): Promise<Parts> {
  optimizeWebAssembly();
  const signer = await createSigner({ module: "raw-private-key", privateKey });
  // The signer caches signatures, so each digest is different.
  let digest = 1;
  const next = (): Hex => numberToHex(digest++, { size: 32 });
  return {
    hashingMs: await timeEach((round) => Promise.resolve(digestOf(round))),
    signingMs: await timeEach(() => signer.sign(next())),
    viemSigningMs: await timeEach(() => sign({ hash: next(), privateKey, to: "hex" })),
  };
}

function digestOf(round: number): string {
  const transactionId = numberToHex(round, { size: 32 });
  const order = { chainId: "local", depositor: zeroAddress, depositTimestamp: round, depositId: transactionId };
  const to = orderAddress(order, keccak256);
  onchainId("local", transactionId, 0);
  const action = encodeAction({ type: "mint", to, tokenId: hubTokenId("local", zeroAddress, keccak256), amount: 5n });
  return hash({ idempotencyKey: depositExecutionKey("local", transactionId), actions: [action] });
}

async function timeEach(work: (round: number) => Promise<unknown>): Promise<number> {
  const run = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) await work(round);
  };
  // Runs the parts once before measuring, so that V8 has compiled the code.
  await run();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / ROUNDS;
}
