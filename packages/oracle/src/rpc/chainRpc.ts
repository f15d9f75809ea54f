import type { Clock } from "@crosscall/protocol/core";
import type { AdditionalData } from "../chainFiles.ts";
import { type ChainIdentity, checkedEndpoint } from "./checkedEndpoint.ts";
import { createRpcEndpoint, type RpcEndpoint } from "./rpcEndpoint.ts";
import { CallRevertedError, RpcError, type RpcFailure } from "./rpcErrors.ts";

export interface RpcObserver {
  called(chainId: string, endpoint: string, method: string): void;
  /** Called if an endpoint returned no usable response, or disagreed with the agreeing endpoints. */
  failed(chainId: string, endpoint: string, method: string, failure: RpcFailure): void;
}

export interface ChainRpc {
  /**
   * Reads a value that is the same on all honest endpoints.
   *
   * @param parse parses a result; throws if the result is malformed
   * @throws {@link RpcError} if no endpoint returns a usable result, or too few agree
   * @throws {@link CallRevertedError} if a contract call reverts
   */
  read<Value>(method: string, params: readonly unknown[], parse: (answer: unknown) => Value): Promise<Value>;
  /**
   * Reads growing values, such as heights, and returns the highest value that enough endpoints have reached.
   *
   * @param heightsOf returns all growing quantities, the most important first; an endpoint has reached a value if none
   * of its quantities is lower
   */
  readHeight<Value>(
    method: string,
    params: readonly unknown[],
    parse: (answer: unknown) => Value,
    heightsOf: (value: Value) => readonly number[],
  ): Promise<Value>;
  /**
   * Checks the chain of each endpoint again. Endpoints that do not respond are checked at the next read.
   *
   * @throws {@link RpcError} that names an endpoint of another chain
   */
  checkChain(): Promise<void>;
  close(): void;
}

interface ChainRpcOptions {
  readonly chainId: string;
  /** Endpoints in order of preference. */
  readonly endpoints: readonly RpcEndpoint[];
  /** Number of endpoints that must agree. */
  readonly agreement: number;
  readonly observer: RpcObserver;
  readonly clock: Clock;
  /** Identifies the configured chain. Endpoints of other chains are not used. */
  readonly identity?: ChainIdentity | undefined;
}

/** Additional time to wait for the other endpoints after enough have responded. */
const GRACE_MS = 250;

/** Time for which a failed endpoint has the lowest preference. */
const REST_MS = 5_000;

/**
 * Creates a connection to a chain. It calls the next endpoint if one fails, and several endpoints concurrently if
 * several must agree.
 */
export function createChainRpc(options: ChainRpcOptions): ChainRpc {
  const { chainId, agreement, observer, clock, identity } = options;
  const endpoints = options.endpoints.map((endpoint) => checkedEndpoint(endpoint, identity, clock));
  const restsUntil = new Map<RpcEndpoint, number>();

  const ask = async <Value>(
    endpoint: RpcEndpoint,
    method: string,
    params: readonly unknown[],
    parse: (answer: unknown) => Value,
  ): Promise<Value> => {
    observer.called(chainId, endpoint.name, method);
    try {
      return read(endpoint.name, await endpoint.call(method, params), parse);
    } catch (error) {
      if (error instanceof RpcError && !(error instanceof CallRevertedError)) {
        observer.failed(chainId, endpoint.name, method, error.failure);
        restsUntil.set(endpoint, clock.now() + REST_MS);
      }
      throw error;
    }
  };

  const isResting = (endpoint: RpcEndpoint): boolean => {
    const left = (restsUntil.get(endpoint) ?? -Infinity) - clock.now();
    // The rest does not last longer if the clock is set back.
    return left > 0 && left <= REST_MS;
  };

  const inOrder = (): readonly RpcEndpoint[] =>
    restsUntil.size === 0 ? endpoints : endpoints.toSorted((a, b) => Number(isResting(a)) - Number(isResting(b)));

  const readFirst: ChainRpc["read"] = async (method, params, parse) => {
    let failure: unknown;
    for (const endpoint of inOrder()) {
      try {
        return await ask(endpoint, method, params, parse);
      } catch (error) {
        if (error instanceof CallRevertedError) throw error;
        failure = error;
      }
    }
    throw failure;
  };

  const readAgreed: ChainRpc["read"] = <Value>(
    method: string,
    params: readonly unknown[],
    parse: (answer: unknown) => Value,
  ): Promise<Value> =>
    new Promise((resolve, reject) => {
      const votes = new Map<string, { readonly value: () => Value; readonly endpoints: RpcEndpoint[] }>();
      let agreed: string | undefined;
      let open = endpoints.length;
      const blame = (ballot: string): void => {
        for (const { name } of votes.get(ballot)?.endpoints ?? []) {
          observer.failed(chainId, name, method, "disagreeing");
        }
      };
      const vote = (endpoint: RpcEndpoint, ballot: string, value: () => Value): void => {
        const same = votes.get(ballot) ?? { value, endpoints: [] };
        same.endpoints.push(endpoint);
        votes.set(ballot, same);
        if (agreed !== undefined) {
          if (ballot !== agreed) observer.failed(chainId, endpoint.name, method, "disagreeing");
        } else if (same.endpoints.length >= agreement) {
          agreed = ballot;
          for (const other of votes.keys()) if (other !== ballot) blame(other);
          settle(resolve, reject, same.value);
        }
      };
      const finish = (): void => {
        open -= 1;
        if (open > 0 || agreed !== undefined) return;
        const names = endpoints.map(({ name }) => name).join(", ");
        for (const ballot of votes.keys()) blame(ballot);
        reject(new RpcError(names, "disagreeing", { detail: `${agreement} of ${endpoints.length} must agree` }));
      };
      for (const endpoint of endpoints) {
        ask(endpoint, method, params, parse)
          .then((value) => vote(endpoint, toBallot(value), () => value))
          .catch((error: unknown) => {
            if (error instanceof CallRevertedError) vote(endpoint, "reverted", () => raise(error));
          })
          .finally(finish);
      }
    });

  return {
    read: agreement <= 1 ? readFirst : readAgreed,
    async readHeight<Value>(
      method: string,
      params: readonly unknown[],
      parse: (answer: unknown) => Value,
      heightsOf: (value: Value) => readonly number[],
    ): Promise<Value> {
      if (agreement <= 1) return readFirst(method, params, parse);
      // Does not wait for hanging endpoints if enough others respond.
      const awake = endpoints.filter((endpoint) => !isResting(endpoint));
      const asked = awake.length >= agreement ? awake : endpoints;
      const highest = (values: readonly Value[]): Value | undefined => highestKnown(values, heightsOf, agreement);
      const answers = asked.map((endpoint) => ask(endpoint, method, params, parse));
      const value = highest(await gather(answers, (values) => highest(values) !== undefined));
      if (value !== undefined) return value;
      const names = endpoints.map(({ name }) => name).join(", ");
      throw new RpcError(names, "disagreeing", { detail: `${agreement} of ${endpoints.length} must agree` });
    },
    async checkChain() {
      await Promise.all(
        endpoints.map(async ({ checkChain }) => {
          try {
            await checkChain?.();
          } catch (error) {
            if (!(error instanceof RpcError) || error.failure !== "wrong-chain") return;
            observer.failed(chainId, error.endpoint, identity?.method ?? "", error.failure);
            throw error;
          }
        }),
      );
    },
    close: () => endpoints.forEach((endpoint) => endpoint.close()),
  };
}

/**
 * Collects responses. After enough endpoints have responded, waits briefly for the others, which can only raise the
 * height.
 */
function gather<Value>(
  answers: readonly Promise<Value>[],
  isEnough: (values: readonly Value[]) => boolean,
): Promise<readonly Value[]> {
  return new Promise((resolve) => {
    const values: Value[] = [];
    let open = answers.length;
    let grace: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearTimeout(grace);
      resolve([...values]);
    };
    const settled = (): void => {
      open -= 1;
      if (open === 0) finish();
      else if (grace === undefined && isEnough(values)) grace = setTimeout(finish, GRACE_MS);
    };
    for (const answer of answers) answer.then((value) => values.push(value)).then(settled, settled);
  });
}

/**
 * Returns the highest value that the given number of endpoints have reached. Compares whole values, so that a malicious
 * endpoint cannot combine an honest number with another time.
 */
function highestKnown<Value>(
  values: readonly Value[],
  heightsOf: (value: Value) => readonly number[],
  agreement: number,
): Value | undefined {
  const known = values.filter(
    (one) => values.filter((other) => knows(heightsOf(other), heightsOf(one))).length >= agreement,
  );
  const [highest] = known.toSorted((a, b) => (heightsOf(b)[0] ?? 0) - (heightsOf(a)[0] ?? 0));
  return highest;
}

function knows(heights: readonly number[], those: readonly number[]): boolean {
  return those.every((height, index) => (heights[index] ?? 0) >= height);
}

function read<Value>(endpoint: string, answer: unknown, parse: (answer: unknown) => Value): Value {
  try {
    return parse(answer);
  } catch (cause) {
    throw new RpcError(endpoint, "malformed", { cause });
  }
}

function settle<Value>(resolve: (value: Value) => void, reject: (error: unknown) => void, value: () => Value): void {
  try {
    resolve(value());
  } catch (error) {
    reject(error);
  }
}

function raise(error: Error): never {
  throw error;
}

/**
 * Converts a value to text. Equal values have equal text, because parsers build objects with a fixed order of fields.
 */
function toBallot(value: unknown): string {
  return JSON.stringify({ value }, (_name, field: unknown) => (typeof field === "bigint" ? `${field}n` : field));
}

export const RPC_TIMEOUT_MS = 10_000;

export const RPC_BATCH_SIZE = 20;

export function openChainRpc(
  chainId: string,
  rpcUrls: readonly string[],
  { rpcAgreement = 1, rpcBatchSize = RPC_BATCH_SIZE }: AdditionalData,
  { observer, clock }: Pick<ChainRpcOptions, "clock" | "observer">,
  identity?: ChainIdentity,
): ChainRpc {
  const endpoints = rpcUrls.map((url) =>
    createRpcEndpoint({ url, batchSize: rpcBatchSize, timeoutMs: RPC_TIMEOUT_MS }),
  );
  return createChainRpc({ chainId, endpoints, agreement: rpcAgreement, observer, clock, identity });
}
