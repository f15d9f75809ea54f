export interface Deferred<Result> {
  readonly promise: Promise<Result>;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** `Promise.withResolvers`, which Node.js 20 lacks. */
export function createDeferred<Result>(): Deferred<Result> {
  let resolve: (result: Result) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<Result>((...functions) => ([resolve, reject] = functions));
  return { promise, resolve, reject };
}
