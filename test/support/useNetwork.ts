import { type Localnet, localnet, type LocalnetOptions } from "../../packages/crosscall/src/localnet/index.ts";

/**
 * Starts a local network before the tests of a suite, and closes it after them.
 *
 * @param options a function if the options depend on earlier hooks
 * @returns the network; hooks registered later and tests can read it
 */
export function useNetwork(options: LocalnetOptions | (() => Promise<LocalnetOptions>) = {}): Localnet {
  let started: Localnet | undefined;
  before(async () => {
    // Tests of the service's retired endpoints set this, and the clock.
    started = await localnet({ keepsRetired: true, ...(typeof options === "function" ? await options() : options) });
  });
  after(() => started?.close());

  const network = (): Localnet => {
    if (started === undefined) throw new Error("the network starts in a before hook: read it in a hook or a test");
    return started;
  };
  return {
    get url() {
      return network().url;
    },
    get consoleUrl() {
      return network().consoleUrl;
    },
    createSignInUrl: () => network().createSignInUrl(),
    get websocketUrl() {
      return network().websocketUrl;
    },
    get apiKey() {
      return network().apiKey;
    },
    get adminKey() {
      return network().adminKey;
    },
    get clock() {
      return network().clock;
    },
    get chains() {
      return network().chains;
    },
    get accounts() {
      return network().accounts;
    },
    get oracle() {
      return network().oracle;
    },
    get fills() {
      return network().fills;
    },
    get scenarios() {
      return network().scenarios;
    },
    get solver() {
      return network().solver;
    },
    get trust() {
      return network().trust;
    },
    snapshot: () => network().snapshot(),
    fork: () => network().fork(),
    transitionsOf: (requestId) => network().transitionsOf(requestId),
    close: () => network().close(),
    [Symbol.asyncDispose]: () => network().close(),
  };
}
