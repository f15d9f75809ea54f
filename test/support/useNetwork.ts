import {
  type Localnet,
  localnet,
  type LocalnetChain,
  type LocalnetOptions,
} from "../../packages/crosscall/src/localnet/index.ts";

/**
 * Starts a local network before the tests of a suite, and closes it after them.
 *
 * @param options a function if the options depend on earlier hooks
 * @returns the network, which tests and later hooks can read
 */
export function useNetwork(options: LocalnetOptions | (() => Promise<LocalnetOptions>) = {}): Localnet {
  let started: Localnet | undefined;
  before(async () => {
    // Tests for the service's retired endpoints override this option and the clock.
    started = await localnet({ keepsRetired: true, ...(typeof options === "function" ? await options() : options) });
  });
  after(() => started?.close());

  const network = (): Localnet => {
    if (started === undefined) throw new Error("the network starts in a before hook: read it in a hook or a test");
    return started;
  };
  return lazily(network);
}

/** Returns the first two chains of a network, which tests and later hooks can read. */
export function chainsOf(network: Localnet): readonly [origin: LocalnetChain, destination: LocalnetChain] {
  return [lazily(() => network.chains[0]), lazily(() => network.chains[1])];
}

/** Returns a proxy that reads each member of a value only when it is used. */
function lazily<Value extends object>(read: () => Value): Value {
  return new Proxy({} as Value, {
    get: (_target, name) => Reflect.get(read(), name) as unknown,
    has: (_target, name) => Reflect.has(read(), name),
    // These two traps allow a spread of the proxy.
    ownKeys: () => Reflect.ownKeys(read()),
    getOwnPropertyDescriptor: (_target, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(read(), name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}
