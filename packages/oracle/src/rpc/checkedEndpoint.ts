import type { Clock } from "@crosscall/protocol/core";
import type { RpcEndpoint } from "./rpcEndpoint.ts";
import { CallRevertedError, RpcError } from "./rpcErrors.ts";

/** Calls that identify an endpoint's chain, and the configured chain. */
export interface ChainIdentity {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Parses a result, or returns undefined if it is malformed. Not called for a null result. */
  readonly parse: (result: unknown) => string | undefined;
  readonly expected: string;
}

/** Maximum time between checks, because a node behind a URL can be replaced without a failed call. */
const CHECKED_MS = 60_000;

/**
 * Calls the endpoint only while it serves the configured chain. Checks the chain before the first call, after each
 * failure, and once a minute. Uses an endpoint that does not report its chain, because nothing shows that it serves
 * another one.
 *
 * @param identity identity of the chain; undefined if the family or the configuration has none
 */
export function checkedEndpoint(endpoint: RpcEndpoint, identity: ChainIdentity | undefined, clock: Clock): RpcEndpoint {
  if (identity === undefined) return endpoint;
  const { method, params, parse, expected } = identity;
  let checkedUntil = 0;
  let pending: Promise<void> | undefined;

  const report = async (): Promise<unknown> => {
    try {
      return await endpoint.call(method, params);
    } catch (error) {
      if (error instanceof RpcError && error.failure === "refused") return null;
      throw error;
    }
  };
  const ask = async (): Promise<void> => {
    const result = await report();
    const served = result === null ? expected : parse(result);
    if (served === undefined) throw new RpcError(endpoint.name, "malformed", { detail: `no result of ${method}` });
    if (served !== expected) {
      throw new RpcError(endpoint.name, "wrong-chain", { detail: `${served} instead of ${expected}` });
    }
    checkedUntil = clock.now() + CHECKED_MS;
  };
  const checkChain = (): Promise<void> => {
    checkedUntil = 0;
    pending ??= ask().finally(() => {
      pending = undefined;
    });
    return pending;
  };
  const isChecked = (): boolean => {
    const left = checkedUntil - clock.now();
    // Limits the age in both directions, so that a result does not last longer if the clock is set back.
    return left > 0 && left <= CHECKED_MS;
  };

  return {
    name: endpoint.name,
    async call(called, values) {
      if (!isChecked()) await checkChain();
      try {
        return await endpoint.call(called, values);
      } catch (error) {
        if (!(error instanceof CallRevertedError)) checkedUntil = 0;
        throw error;
      }
    },
    checkChain,
    close: () => endpoint.close(),
  };
}
