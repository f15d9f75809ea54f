import type { NodeBehavior, RpcAnswer, RpcRequest } from "./nodeBehavior.ts";
import { NODE_KINDS } from "./nodeKinds.ts";
import type { MisbehavingNodeKind, MisbehavingNodeOptions } from "./nodeOptions.ts";

/** A node's behavior without a server. */
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
