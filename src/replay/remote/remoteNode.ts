import { ChainError } from "@crosscall/sdk/internal/core/errors";
import type { Upstream } from "../fork/upstream/upstream.ts";
import type { StateNode } from "../stateNode.ts";

/** A chain's node, which is only ever asked. */
export function remoteNode(upstream: Upstream, chainId: number): StateNode {
  return {
    async request(method, params = []) {
      const [answer] = await upstream.send([{ method, params }]);
      if (answer !== undefined && "result" in answer) return answer.result;
      throw new ChainError({
        message: `${upstream.host} refuses ${method}: ${answer?.error.message ?? "no answer"}`,
        hint: "Use the RPC URL of a node that takes state overrides of eth_call, or replay on a fork.",
        chainId,
        cause: answer?.error,
      });
    },
  };
}
