// Sources, read on 26 November 2026: the service's pages "Contract addresses" and "Changelog" (docs.relay.link), and the
// contracts of github.com/relayprotocol/relay-periphery, which publishes versions 3.0 and 3.1 and the tests of 3.2.
import type { Address } from "viem";

/** EVM builds of the service's contracts: `london` has no transient storage, `zkStack` other bytecode. */
export type ContractBuild = "cancun" | "london" | "zkStack";

/** A router of the service, and the approval proxy that moves tokens to it. */
export interface RouterPair {
  readonly router: Address;
  readonly approvalProxy: Address;
}

/** One generation of the service's router and approval proxy. */
export interface RouterGeneration {
  readonly version: "2" | "2.1" | "3.0" | "3.1" | "3.2";
  /** Whether the service routes, or has routed, through it. It never lists the others in `GET /chains`. */
  readonly isOfService: boolean;
  /** Key of the pair in `contracts` of `GET /chains`. */
  readonly listedAs?: "v3" | "v3.2";
  /** When the service made it its default. ISO 8601. */
  readonly defaultSince?: string;
  /** What `SolverCallExecuted` carries: the call data of the call, or their hash. */
  readonly callEvent: "data" | "hash";
  /** Whether only the outermost call ends the reentrancy guard. Otherwise each call of the router to itself does. */
  readonly keepsGuard: boolean;
  /**
   * Whether `cleanupErc20sViaCall` approves through zero where a token requires it, and takes tokens that return nothing.
   */
  readonly approvesAnyToken: boolean;
  /** Whether permits with calls also sign the native currency that the relayer sends along. */
  readonly signsValue: boolean;
  readonly pairs: Readonly<Partial<Record<ContractBuild, RouterPair>>>;
  /**
   * The approval proxy of local networks, which takes permits from the local solver only; undefined if they cannot run this
   * generation. Their router is that of most chains.
   */
  readonly localApprovalProxy?: Address;
}

/** All generations with public contracts, oldest first. */
export const ROUTERS = [
  {
    version: "2",
    isOfService: true,
    callEvent: "data",
    keepsGuard: false,
    approvesAnyToken: false,
    signsValue: false,
    pairs: {
      cancun: {
        router: "0xF5042e6ffaC5a625D4E7848e0b01373D8eB9e222",
        approvalProxy: "0xBBbfD134E9b44BfB5123898BA36b01dE7ab93d98",
      },
      london: {
        router: "0x113a327221D2C4660684449bfc39Bc14aD1aAf38",
        approvalProxy: "0xCd740B0E005cb8647F9BaF4FeBEDC8753CEeF861",
      },
      zkStack: {
        router: "0x8fdcEEDa2951A9747Feaf25311435448bCE47B2a",
        approvalProxy: "0xaeC31C3780521C34CA59dc2Eb5Fb9Ee2e285CEbe",
      },
    },
  },
  {
    version: "2.1",
    isOfService: true,
    callEvent: "data",
    keepsGuard: false,
    approvesAnyToken: false,
    signsValue: false,
    pairs: {
      cancun: {
        router: "0x3eC130B627944cad9b2750300ECB0A695DA522B6",
        approvalProxy: "0x58cC3e0aA6CD7bf795832A225179ec2d848cE3e7",
      },
      london: {
        router: "0xB758f3Bfa7B9d39eF5457d7c7Ffb3702F2aD3982",
        approvalProxy: "0x953c95146EB8CE763f35caF2F1d46DDf6A33BEA2",
      },
      zkStack: {
        router: "0xB758f3Bfa7B9d39eF5457d7c7Ffb3702F2aD3982",
        approvalProxy: "0x953c95146EB8CE763f35caF2F1d46DDf6A33BEA2",
      },
    },
  },
  {
    version: "3.0",
    isOfService: true,
    listedAs: "v3",
    callEvent: "data",
    keepsGuard: false,
    approvesAnyToken: false,
    signsValue: false,
    pairs: {
      cancun: {
        router: "0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f",
        approvalProxy: "0xCcC88a9d1B4ED6b0EABA998850414b24f1c315bE",
      },
      london: {
        router: "0x9EF6d3c2F60d7b9008D74CAb1FC0F899c957C819",
        approvalProxy: "0x8754Bc615047de01228a7527B712806A71A8dc9a",
      },
      zkStack: {
        router: "0xE16870B028704E38dbC254a84D3f72C8BA345cA9",
        approvalProxy: "0xF6e54BbF91e564FcF0df3ED9F2dD82913E9232C3",
      },
    },
    localApprovalProxy: "0x1c83D2408855D3044b8d0552545F0aD21301D8C6",
  },
  {
    version: "3.1",
    isOfService: false,
    callEvent: "data",
    keepsGuard: true,
    approvesAnyToken: true,
    signsValue: true,
    pairs: {
      cancun: {
        router: "0xe6B730e58088884704CDF11cbE95c224d4D34154",
        approvalProxy: "0x5A0fA369d634f49c76B08dC6C299800C1a2aF977",
      },
    },
  },
  {
    version: "3.2",
    isOfService: true,
    listedAs: "v3.2",
    defaultSince: "2026-10-26T14:00:00.000Z",
    callEvent: "hash",
    keepsGuard: true,
    approvesAnyToken: true,
    signsValue: true,
    pairs: {
      cancun: {
        router: "0x0729E2a4716d9f7dD17858d5d504426D228697f7",
        approvalProxy: "0x5567954cD026CEbFE486062cb75848e0f1c12E58",
      },
      london: {
        router: "0x6328ea02d28131e58B28E55c6258258A30d90E05",
        approvalProxy: "0xE4DfBd5E6784dB1058124E2c87554C0591f0Fb7B",
      },
    },
    localApprovalProxy: "0x8A8091ba53273329B95548Ac1ebc686183c0730A",
  },
] as const satisfies readonly RouterGeneration[];

/** `SolverCallExecuted` of generations whose `callEvent` is `hash`. */
export const hashedCallAbi = [
  {
    type: "event",
    name: "SolverCallExecuted",
    inputs: [
      { name: "to", type: "address", indexed: false },
      { name: "dataHash", type: "bytes32", indexed: false },
      { name: "amount", type: "uint256", indexed: false },
    ],
  },
] as const;

const LOCAL_ROUTERS = ROUTERS.filter((one) => "localApprovalProxy" in one);

export type LocalRouterVersion = (typeof LOCAL_ROUTERS)[number]["version"];

/** Generations with a stand-in on local networks, oldest first. */
export const LOCAL_ROUTER_VERSIONS: readonly LocalRouterVersion[] = LOCAL_ROUTERS.map(({ version }) => version);

/** The generation that the service routes through today. */
const CURRENT = newestOfService(LOCAL_ROUTERS);

/** Of local networks and tests that name none. */
export const DEFAULT_ROUTER: LocalRouterVersion = CURRENT.version;

/** The router of {@link DEFAULT_ROUTER} on most chains, and on local ones. */
export const ROUTER_ADDRESS: Address = CURRENT.pairs.cancun.router;

/** The router of a generation on most chains, and on local ones. */
export function localRouterAddress(version: LocalRouterVersion): Address {
  return localPair(version).router;
}

/** The approval proxy of a generation on local networks. */
export function localApprovalProxy(version: LocalRouterVersion): Address {
  return localPair(version).approvalProxy;
}

function newestOfService<Generation extends RouterGeneration>(generations: readonly Generation[]): Generation {
  return generations.reduce((older, newer) => (newer.isOfService ? newer : older));
}

function localPair(version: LocalRouterVersion): RouterPair {
  const { pairs, localApprovalProxy: approvalProxy } = LOCAL_ROUTERS.find((one) => one.version === version) ?? CURRENT;
  return { router: pairs.cancun.router, approvalProxy };
}

/** The pairs of one or more builds that the service has routed through, oldest first. */
export function servicePairs(...builds: readonly ContractBuild[]): { routers: Address[]; spenders: Address[] } {
  const pairs = builds.flatMap((build) =>
    pairsOf(
      ROUTERS.filter(({ isOfService }) => isOfService),
      build,
    ),
  );
  return { routers: pairs.map(({ router }) => router), spenders: pairs.map(({ approvalProxy }) => approvalProxy) };
}

/** Each public router and approval proxy, of all generations and builds, in lower case. */
export const PUBLIC_CONTRACTS: Readonly<Record<"routers" | "approvalProxies", ReadonlySet<string>>> = {
  routers: new Set(allPairs().map(({ router }) => router.toLowerCase())),
  approvalProxies: new Set(allPairs().map(({ approvalProxy }) => approvalProxy.toLowerCase())),
};

/**
 * The account in words, if it is a router or an approval proxy of any generation: anyone can take what a router holds,
 * and only the owner of an approval proxy can take what that holds.
 */
export function namePublicContract(account: string): "a public router" | "an approval proxy" | undefined {
  const wanted = account.toLowerCase();
  if (PUBLIC_CONTRACTS.routers.has(wanted)) return "a public router";
  return PUBLIC_CONTRACTS.approvalProxies.has(wanted) ? "an approval proxy" : undefined;
}

/** Returns the generation of a router or an approval proxy; undefined for another account. */
export function routerGenerationOf(account: string): RouterGeneration | undefined {
  const wanted = account.toLowerCase();
  return ROUTERS.find(({ pairs }: RouterGeneration) =>
    Object.values(pairs).some(
      ({ router, approvalProxy }) => router.toLowerCase() === wanted || approvalProxy.toLowerCase() === wanted,
    ),
  );
}

/** The router that an approval proxy of the service, or of local networks, moves tokens to; undefined for another account. */
export function routerOfApprovalProxy(account: string): Address | undefined {
  const wanted = account.toLowerCase();
  return [...allPairs(), ...LOCAL_ROUTER_VERSIONS.map(localPair)].find(
    ({ approvalProxy }) => approvalProxy.toLowerCase() === wanted,
  )?.router;
}

function allPairs(): readonly RouterPair[] {
  return ROUTERS.flatMap(({ pairs }: RouterGeneration) => Object.values(pairs));
}

function pairsOf(generations: readonly RouterGeneration[], build: ContractBuild): readonly RouterPair[] {
  return generations.flatMap(({ pairs }) => pairs[build] ?? []);
}
