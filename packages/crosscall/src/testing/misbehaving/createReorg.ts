import { formatTransaction, type Hex, type RpcTransaction, serializeTransaction } from "viem";

import { heightOf, type NodeContext, type RpcAnswer, type RpcRequest } from "./nodeBehavior.ts";

interface Checkpoint {
  readonly height: number;
  readonly snapshotId: unknown;
}

/**
 * Creates a reorg, once: when the receipt of a first transaction was returned, replaces the transaction's block with
 * empty blocks.
 */
export function createReorg({ ask, result }: NodeContext) {
  const checkpoints: Checkpoint[] = [];
  let dropped: readonly Hex[] | undefined;

  const height = async (): Promise<number> => Number(await result("eth_blockNumber"));

  /** Takes a snapshot at each block that a request reads. */
  const remember = async (): Promise<void> => {
    const now = await height();
    if ((checkpoints.at(-1)?.height ?? -1) < now) {
      checkpoints.push({ height: now, snapshotId: await result("evm_snapshot") });
    }
  };
  const drop = async (included: number): Promise<void> => {
    const checkpoint = checkpoints.findLast((each) => each.height < included);
    if (checkpoint === undefined) return;
    const latest = await height();
    const lost: Hex[] = [];
    for (let at = checkpoint.height + 1; at <= latest; at += 1) {
      const block = (await result("eth_getBlockByNumber", `0x${at.toString(16)}`, true)) as {
        readonly transactions: readonly RpcTransaction[];
      };
      lost.push(...block.transactions.map(serialize));
    }
    dropped = lost;
    await result("evm_revert", checkpoint.snapshotId);
    // Mines one block more than before, because nodes follow the longer chain.
    for (let at = checkpoint.height; at <= latest; at += 1) await result("evm_mine");
  };

  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work, work);
    turn = done.catch(() => undefined);
    return done;
  };

  return {
    answer: (request: RpcRequest): Promise<RpcAnswer> =>
      inTurn(async () => {
        if (dropped !== undefined) return ask(request);
        await remember();
        const answer = await ask(request);
        if (request.method !== "eth_getTransactionReceipt") return answer;
        const included = heightOf(answer);
        if (included !== undefined) await drop(included);
        return answer;
      }),
    /** Resends dropped transactions with nonces that are still unused. */
    async release(): Promise<void> {
      for (const raw of dropped ?? [])
        await ask({ jsonrpc: "2.0", id: 1, method: "eth_sendRawTransaction", params: [raw] });
    },
  };
}

function serialize(transaction: RpcTransaction): Hex {
  const { r, s, v, yParity, ...fields } = formatTransaction(transaction);
  const signature = yParity === undefined ? { r, s, v } : { r, s, yParity };
  return serializeTransaction({ ...fields, data: fields.input }, signature as never);
}
