import type { Clock } from "@crosscall/sdk/internal/core/clock";
import type { RpcEndpoint } from "./rpcEndpoint.ts";
import { CallRevertedError, RpcError, type RpcFailure } from "./rpcErrors.ts";

/** What happens at the endpoints of chains: for the log and the metrics. */
export interface RpcObserver {
  /** An endpoint was called. */
  called(chainId: string, endpoint: string, method: string): void;
  /** An endpoint gave no answer that can be used, or another one than those that agreed. */
  failed(chainId: string, endpoint: string, method: string, failure: RpcFailure): void;
}

/** The endpoints of a chain as one. */
export interface ChainRpc {
  /**
   * Reads what all honest endpoints answer alike.
   *
   * @param parse makes a value of an answer; throws when it is none
   * @throws {@link RpcError} when no endpoint, or too few that agree, give an answer that can be used
   * @throws {@link CallRevertedError} when a contract call reverts
   */
  read<Value>(method: string, params: readonly unknown[], parse: (answer: unknown) => Value): Promise<Value>;
  /**
   * Reads what grows, of which honest endpoints know more or less: as much as enough of them know.
   *
   * @param heightsOf all that grows of a value, the most important first; an endpoint that tells more of each knows it
   */
  readHeight<Value>(
    method: string,
    params: readonly unknown[],
    parse: (answer: unknown) => Value,
    heightsOf: (value: Value) => readonly number[],
  ): Promise<Value>;
  close(): void;
}

/** What the endpoints of a chain are joined from. */
export interface ChainRpcOptions {
  readonly chainId: string;
  /** In the order of preference. */
  readonly endpoints: readonly RpcEndpoint[];
  /** So many endpoints must answer alike. */
  readonly agreement: number;
  readonly observer: RpcObserver;
  readonly clock: Clock;
}

/** How much longer endpoints may take to tell what grows than those that are enough. */
const GRACE_MS = 250;

/** How long an endpoint that failed is asked last. */
const REST_MS = 5_000;

/** Joins the endpoints of a chain: the next is asked where one fails, and several where several must agree. */
export function createChainRpc({ chainId, endpoints, agreement, observer, clock }: ChainRpcOptions): ChainRpc {
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

  const isResting = (endpoint: RpcEndpoint): boolean => (restsUntil.get(endpoint) ?? 0) > clock.now();

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
        reject(new RpcError(names, "disagreeing", { detail: `${agreement} of ${endpoints.length} must` }));
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
      // An endpoint that hangs would hold up each call, so long as enough others answer.
      const awake = endpoints.filter((endpoint) => !isResting(endpoint));
      const asked = awake.length >= agreement ? awake : endpoints;
      const highest = (values: readonly Value[]): Value | undefined => highestKnown(values, heightsOf, agreement);
      const answers = asked.map((endpoint) => ask(endpoint, method, params, parse));
      const value = highest(await gather(answers, (values) => highest(values) !== undefined));
      if (value !== undefined) return value;
      const names = endpoints.map(({ name }) => name).join(", ");
      throw new RpcError(names, "disagreeing", { detail: `${agreement} of ${endpoints.length} must answer` });
    },
    close: () => endpoints.forEach((endpoint) => endpoint.close()),
  };
}

/**
 * What endpoints answer; once that is enough, the others are waited for only so much longer, since what they know
 * besides only has more seem final.
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
 * The highest value that so many endpoints know. A liar that tells an honest number with another time would be believed,
 * were only the numbers compared.
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

/** Whether an endpoint that tells these heights knows those. */
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

/** Values that are alike have the same text: parsers build their objects in one order. */
function toBallot(value: unknown): string {
  return JSON.stringify({ value }, (_name, field: unknown) => (typeof field === "bigint" ? `${field}n` : field));
}
