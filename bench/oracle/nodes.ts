import { fork } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

import { encodeFunctionData, type Hex, numberToHex } from "viem";

import { DEPOSITORY_ADDRESS } from "../../packages/protocol/src/chains/serviceAddresses.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { localAccounts } from "../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { startAnvil } from "../../test/integration/support/processes.ts";
import { depositoryAbi } from "../../packages/protocol/src/abi/service.generated.ts";

/** A node of a chain with deposits. */
export interface BenchNode {
  readonly name: string;
  readonly rpcUrl: string;
  /** Deposit for repeated attestations. */
  readonly first: Hex;
  /** Returns the next deposit without an attestation, or undefined after the last one. */
  next(): Hex | undefined;
  close(): void;
}

/**
 * Starts a stand-in node that responds immediately. It has an unlimited number of deposits, a hundred in each block.
 */
export async function startStandIn(): Promise<BenchNode> {
  const node = fork(fileURLToPath(new URL("./standInNode.ts", import.meta.url)));
  const [address] = (await once(node, "message")) as [AddressInfo];
  let index = 1_000;
  return {
    name: "stand-in",
    rpcUrl: `http://127.0.0.1:${address.port}`,
    first: numberToHex(1, { size: 32 }),
    next: () => numberToHex(index++, { size: 32 }),
    close: () => node.disconnect(),
  };
}

const ANVIL_DEPOSITS = 2_400;
/** More blocks than the default finality. Blocks mined faster than one per second are ahead of the clock. */
const BLOCKS_AFTER = 20;
const SECONDS_AFTER = 2 * ANVIL_DEPOSITS;

/** Starts anvil with finalized deposits, as many per block as given. */
export async function startAnvilNode(perBlock: 1 | 10): Promise<BenchNode> {
  const anvil = await startAnvil(31_337);
  const request = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(anvil.ready, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    const { result, error } = (await response.json()) as { readonly result?: unknown; readonly error?: unknown };
    if (error !== undefined) throw new Error(`anvil rejects ${method}: ${JSON.stringify(error)}`);
    return result;
  };
  await request("anvil_setCode", DEPOSITORY_ADDRESS, readArtifact("localnet/LocalDepository").deployedBytecode);
  await request("evm_setAutomine", false);
  const from = localAccounts.user.address;
  const hashes: Hex[] = [];
  for (let index = 0; index < ANVIL_DEPOSITS; index += 1) {
    const id = numberToHex(index + 1, { size: 32 });
    const data = encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [from, id] });
    const transaction = { from, to: DEPOSITORY_ADDRESS, data, value: "0x5", gas: "0x186a0" };
    hashes.push((await request("eth_sendTransaction", transaction)) as Hex);
    if (hashes.length % perBlock === 0) await request("evm_mine");
  }
  await request("evm_increaseTime", SECONDS_AFTER);
  await request("anvil_mine", numberToHex(BLOCKS_AFTER));
  const [first = "0x", ...others] = hashes;
  let index = 0;
  return {
    name: `anvil, ${perBlock} a block`,
    rpcUrl: anvil.ready,
    first,
    next: () => others[index++],
    close: () => void anvil.stop("SIGKILL"),
  };
}
