import { numberToHex } from "viem";

import {
  type NodeBehavior,
  type RpcAnswer,
  type RpcRequest,
  type MisbehavingNodeKind,
  type MisbehavingNodeOptions,
  atBlock,
  blockOf,
  errorOf,
  heightOf,
  HttpResponse,
  type NodeContext,
  resultOf,
} from "./nodeBehavior.ts";
import { createReorg } from "./createReorg.ts";

/** Creates the behavior of a node without a server. */
export function openNode(
  kind: MisbehavingNodeKind,
  options: Omit<MisbehavingNodeOptions, "rpcUrl">,
  ask: (request: RpcRequest) => Promise<RpcAnswer>,
): NodeBehavior {
  let isReleased = false;
  const result = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const answer = await ask({ jsonrpc: "2.0", id: 1, method, params });
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer.result;
  };
  const { answer, release } = NODE_KINDS[kind]({ options, ask, result });
  return {
    answer: (request) => (isReleased ? ask(request) : answer(request)),
    async release() {
      isReleased = true;
      await release?.();
    },
  };
}

interface KindBehavior {
  readonly answer: (request: RpcRequest) => Promise<RpcAnswer | HttpResponse>;
  readonly release?: () => Promise<void>;
}

/** Methods that return one transaction, receipt or block. */
const LOOKUPS: ReadonlySet<string> = new Set([
  "eth_getBlockByHash",
  "eth_getBlockByNumber",
  "eth_getTransactionByHash",
  "eth_getTransactionReceipt",
]);

/** Behaviors by kind: differences from the real node. */
export const NODE_KINDS: Readonly<Record<MisbehavingNodeKind, (context: NodeContext) => KindBehavior>> = {
  lagging: ({ options: { blocks = 3 }, ask, result }) => ({
    async answer(request) {
      const head = Math.max(Number(await result("eth_blockNumber")) - blocks, 0);
      if (request.method === "eth_blockNumber") return resultOf(request, numberToHex(head));
      if (request.method === "eth_getLogs") return ask(clipLogs(request, head));
      const read = blockOf(request);
      if (read === undefined)
        return LOOKUPS.has(request.method) ? hideAbove(request, await ask(request), head) : ask(request);
      if (!read.block.startsWith("0x")) {
        return ask(read.block === "earliest" ? request : atBlock(request, read.at, numberToHex(head)));
      }
      if (Number(read.block) <= head) return ask(request);
      return LOOKUPS.has(request.method) ? resultOf(request, null) : errorOf(request, -32_000, "header not found");
    },
  }),
  pruned: ({ options: { blocks = 16 }, ask, result }) => ({
    async answer(request) {
      const oldest = Number(await result("eth_blockNumber")) - blocks;
      if (request.method === "eth_getLogs") {
        const { fromBlock } = logRange(request, oldest + blocks);
        return fromBlock < oldest ? errorOf(request, -32_000, "pruned history unavailable") : ask(request);
      }
      if (LOOKUPS.has(request.method)) {
        const answer = await ask(request);
        return (heightOf(answer) ?? oldest) < oldest ? resultOf(request, null) : answer;
      }
      const block = blockOf(request)?.block ?? "latest";
      const isOld = block === "earliest" ? oldest > 0 : block.startsWith("0x") && Number(block) < oldest;
      return isOld ? errorOf(request, -32_000, "missing trie node") : ask(request);
    },
  }),
  logLimit: ({ options: { blocks = 1_000 }, ask, result }) => ({
    async answer(request) {
      if (request.method !== "eth_getLogs") return ask(request);
      const { fromBlock, toBlock } = logRange(request, Number(await result("eth_blockNumber")));
      if (toBlock - fromBlock + 1 <= blocks) return ask(request);
      return errorOf(request, -32_602, `block range is limited to ${blocks}`);
    },
  }),
  rateLimited({ options: { every = 2, refusal = "http", methods }, ask }) {
    let count = 0;
    return {
      async answer(request) {
        if (!isAffected(request, methods)) return ask(request);
        count += 1;
        if (count % every !== 0) return ask(request);
        if (refusal === "rpc") return errorOf(request, -32_005, "request rate exceeded");
        return new HttpResponse(429, "Too Many Requests", { "retry-after": "0" });
      },
    };
  },
  reorging: createReorg,
  forgetful: ({ ask }) => ({
    async answer(request) {
      const read = blockOf(request);
      if (read?.block === "pending") return ask(atBlock(request, read.at, "latest"));
      const answer = await ask(request);
      if (request.method !== "eth_getTransactionByHash") return answer;
      return heightOf(answer) === undefined ? resultOf(request, null) : answer;
    },
  }),
  hangs: ({ options: { methods }, ask }) => ({
    // Ends with the connection, because the server closes all connections when it closes.
    answer: (request) => (isAffected(request, methods) ? new Promise(() => undefined) : ask(request)),
  }),
  garbage: ({ options: { garbage = "html", methods }, ask }) => ({
    async answer(request) {
      if (!isAffected(request, methods)) return ask(request);
      switch (garbage) {
        case "html":
          return new HttpResponse(200, "<html><body>Bad gateway</body></html>", { "content-type": "text/html" });
        case "empty":
          return new HttpResponse(200, "");
        case "truncated": {
          const body = JSON.stringify(await ask(request));
          return new HttpResponse(200, body.slice(0, body.length / 2));
        }
        case "wrongId":
          return { ...(await ask(request)), id: "another" };
        case "emptyResult":
          return resultOf(request, "0x");
      }
    },
  }),
  expensiveGas: ({ options: { gasPrice = 10n ** 15n }, ask }) => ({
    async answer(request) {
      const price = numberToHex(gasPrice);
      const answer = await ask(request);
      const { result } = answer;
      switch (request.method) {
        case "eth_gasPrice":
        case "eth_maxPriorityFeePerGas":
          return resultOf(request, price);
        case "eth_getBlockByNumber":
        case "eth_getBlockByHash":
          return isRecord(result) ? { ...answer, result: { ...result, baseFeePerGas: price } } : answer;
        case "eth_feeHistory": {
          if (!isRecord(result)) return answer;
          const { baseFeePerGas, reward } = result as { baseFeePerGas?: unknown[]; reward?: unknown[][] };
          const expensive = {
            ...result,
            baseFeePerGas: baseFeePerGas?.map(() => price),
            reward: reward?.map((rewards) => rewards.map(() => price)),
          };
          return { ...answer, result: expensive };
        }
        default:
          return answer;
      }
    },
  }),
  wrongChain: ({ options: { chainId = 1 }, ask }) => ({
    async answer(request) {
      if (request.method === "eth_chainId") return resultOf(request, numberToHex(chainId));
      return request.method === "net_version" ? resultOf(request, String(chainId)) : ask(request);
    },
  }),
};

function isAffected({ method }: RpcRequest, methods: readonly string[] | undefined): boolean {
  return methods === undefined || methods.includes(method);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Hides data that the lagging node does not have yet. */
function hideAbove(request: RpcRequest, answer: RpcAnswer, head: number): RpcAnswer {
  const height = heightOf(answer);
  // Pending transactions are only on the other node.
  const isHidden = height === undefined ? request.method === "eth_getTransactionByHash" : height > head;
  return isHidden ? resultOf(request, null) : answer;
}

interface LogFilter {
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly blockHash?: string;
}

function logRange({ params = [] }: RpcRequest, head: number): { readonly fromBlock: number; readonly toBlock: number } {
  const { fromBlock, toBlock } = (params[0] ?? {}) as LogFilter;
  const number = (block = "latest"): number => {
    if (block === "earliest") return 0;
    return block.startsWith("0x") ? Number(block) : head;
  };
  return { fromBlock: number(fromBlock), toBlock: number(toBlock) };
}

function clipLogs(request: RpcRequest, head: number): RpcRequest {
  const [filter] = (request.params ?? []) as readonly LogFilter[];
  if (filter?.blockHash !== undefined) return request;
  const { fromBlock, toBlock } = logRange(request, head);
  const range = { fromBlock: numberToHex(Math.min(fromBlock, head)), toBlock: numberToHex(Math.min(toBlock, head)) };
  return { ...request, params: [{ ...filter, ...range }] };
}
