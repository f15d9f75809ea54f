import { BaseError, RpcRequestError } from "viem";

import type { Build } from "../../src/artifacts.ts";
import type { Target } from "../options/target.ts";
import { buildOf } from "./release.ts";

/** Reads slot 0 of transient storage, and stops. */
const TRANSIENT_LOAD = "0x60005c";

/** The build that runs on the chain: the release's, unless the chain lacks transient storage. */
export async function findBuild({ chainId, client }: Target): Promise<Build> {
  const build = buildOf(chainId);
  if (build === "london") return build;
  try {
    await client.request({ method: "eth_call", params: [{ data: TRANSIENT_LOAD }, "latest"] });
    return build;
  } catch (error) {
    // Nodes name a missing opcode in different ways; other errors say nothing about it.
    const cause = error instanceof BaseError && error.walk((inner) => inner instanceof RpcRequestError);
    if (!(cause instanceof RpcRequestError)) throw error;
    return /opcode|instruction|invalid_operation|not ?activated/iu.test(cause.details) ? "london" : build;
  }
}
