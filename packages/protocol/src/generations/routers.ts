// Sources, read on 26 November 2026: the service's pages "Contract addresses" and "Changelog" (docs.relay.link), and the
// contracts of github.com/relayprotocol/relay-periphery, which publishes versions 3.0 and 3.1 and the tests of 3.2.
import type { Address } from "viem";

/** EVM builds of the service's contracts: `london` uses no transient storage, and `zkStack` has different bytecode. */
export type ContractBuild = "cancun" | "london" | "zkStack";

/** Router of the service, and the approval proxy that transfers tokens to it. */
export interface RouterPair {
  readonly router: Address;
  readonly approvalProxy: Address;
}

/** Generation of the service's router and approval proxy. */
export interface RouterGeneration {
  readonly version: "2" | "2.1" | "3.0" | "3.1" | "3.2";
  /** Whether the service uses or has used this generation. `GET /chains` never lists other generations. */
  readonly isOfService: boolean;
  /** Key of the generation in `contracts` of `GET /chains`. */
  readonly listedAs?: "v3" | "v3.2";
  /** Date when the service made the generation its default, in ISO 8601. */
  readonly defaultSince?: string;
  /** Content of `SolverCallExecuted`: the call data, or its hash. */
  readonly callEvent: "data" | "hash";
  /** Whether only the outermost call clears the reentrancy guard. Otherwise, each self-call of the router clears it. */
  readonly keepsGuard: boolean;
  /**
   * Whether `cleanupErc20sViaCall` resets allowances to zero where a token requires it, and supports tokens whose
   * functions return nothing.
   */
  readonly approvesAnyToken: boolean;
  /** Whether permits with calls also sign the relayer's native currency. */
  readonly signsValue: boolean;
  readonly pairs: Readonly<Partial<Record<ContractBuild, RouterPair>>>;
  /**
   * Approval proxy of local networks, which accepts permits only from the local solver. Undefined if local networks
   * cannot run this generation. Their router is the same as on most chains.
   */
  readonly localApprovalProxy?: Address;
}

/**
 * All generations with public contracts, oldest first. Generations with a stand-in have checksummed addresses on most
 * chains. Other addresses are in lower case, which compresses better.
 */
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
        router: "0xf5042e6ffac5a625d4e7848e0b01373d8eb9e222",
        approvalProxy: "0xbbbfd134e9b44bfb5123898ba36b01de7ab93d98",
      },
      london: {
        router: "0x113a327221d2c4660684449bfc39bc14ad1aaf38",
        approvalProxy: "0xcd740b0e005cb8647f9baf4febedc8753ceef861",
      },
      zkStack: {
        router: "0x8fdceeda2951a9747feaf25311435448bce47b2a",
        approvalProxy: "0xaec31c3780521c34ca59dc2eb5fb9ee2e285cebe",
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
        router: "0x3ec130b627944cad9b2750300ecb0a695da522b6",
        approvalProxy: "0x58cc3e0aa6cd7bf795832a225179ec2d848ce3e7",
      },
      london: {
        router: "0xb758f3bfa7b9d39ef5457d7c7ffb3702f2ad3982",
        approvalProxy: "0x953c95146eb8ce763f35caf2f1d46ddf6a33bea2",
      },
      zkStack: {
        router: "0xb758f3bfa7b9d39ef5457d7c7ffb3702f2ad3982",
        approvalProxy: "0x953c95146eb8ce763f35caf2f1d46ddf6a33bea2",
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
        router: "0x9ef6d3c2f60d7b9008d74cab1fc0f899c957c819",
        approvalProxy: "0x8754bc615047de01228a7527b712806a71a8dc9a",
      },
      zkStack: {
        router: "0xe16870b028704e38dbc254a84d3f72c8ba345ca9",
        approvalProxy: "0xf6e54bbf91e564fcf0df3ed9f2dd82913e9232c3",
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
        router: "0xe6b730e58088884704cdf11cbe95c224d4d34154",
        approvalProxy: "0x5a0fa369d634f49c76b08dc6c299800c1a2af977",
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
        router: "0x6328ea02d28131e58b28e55c6258258a30d90e05",
        approvalProxy: "0xe4dfbd5e6784db1058124e2c87554c0591f0fb7b",
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

/** Routers and approval proxies of local networks, oldest first. The service uses or has used all of these routers. */
export const LOCAL_PAIRS = LOCAL_ROUTERS.map(({ version, pairs, localApprovalProxy: approvalProxy }) => {
  return { version, router: pairs.cancun.router, approvalProxy };
});

/** Generations with a stand-in on local networks, oldest first. */
export const LOCAL_ROUTER_VERSIONS: readonly LocalRouterVersion[] = LOCAL_PAIRS.map(({ version }) => version);

const NEWEST = LOCAL_PAIRS.reduce((_, newer) => newer);

/** Generation that the service currently uses, and the default of local networks and tests. */
export const DEFAULT_ROUTER: LocalRouterVersion = NEWEST.version;

/** Address of the router of generation {@link DEFAULT_ROUTER} on most chains, including local chains. */
export const ROUTER_ADDRESS: Address = NEWEST.router;

/** Returns the router of a generation on most chains, including local chains. */
export function localRouterAddress(wanted: LocalRouterVersion): Address {
  return (LOCAL_PAIRS.find(({ version }) => version === wanted) ?? NEWEST).router;
}

/** Routers and approval proxies of one or more builds that the service uses or has used, oldest first. */
export function servicePairs(...builds: readonly ContractBuild[]): { routers: Address[]; spenders: Address[] } {
  const used: readonly RouterGeneration[] = ROUTERS.filter(({ isOfService }) => isOfService);
  const pairs = builds.flatMap((build) => used.flatMap((one) => one.pairs[build] ?? []));
  return { routers: pairs.map(({ router }) => router), spenders: pairs.map(({ approvalProxy }) => approvalProxy) };
}

interface PublicContract {
  readonly name: "a public router" | "an approval proxy";
  readonly generation: RouterGeneration;
  readonly router: Address;
}

/** Public routers and approval proxies of all generations and builds, by address in lower case. */
export const PUBLIC_CONTRACTS: ReadonlyMap<string, PublicContract> = new Map(
  ROUTERS.flatMap((generation: RouterGeneration) =>
    Object.values(generation.pairs).flatMap(({ router, approvalProxy }): [string, PublicContract][] => [
      [router.toLowerCase(), { name: "a public router", generation, router }],
      [approvalProxy.toLowerCase(), { name: "an approval proxy", generation, router }],
    ]),
  ),
);

/**
 * Describes an account that is a router or an approval proxy of any generation. Anyone can take a router's balance;
 * only its owner can take an approval proxy's balance.
 */
export function namePublicContract(account: string): PublicContract["name"] | undefined {
  return PUBLIC_CONTRACTS.get(account.toLowerCase())?.name;
}

/** Returns the generation of a router or approval proxy, or undefined for other accounts. */
export function routerGenerationOf(account: string): RouterGeneration | undefined {
  return PUBLIC_CONTRACTS.get(account.toLowerCase())?.generation;
}

/**
 * Returns the router to which an approval proxy of the service or of local networks transfers tokens, or undefined for
 * other accounts.
 */
export function routerOfApprovalProxy(account: string): Address | undefined {
  const wanted = account.toLowerCase();
  const local = LOCAL_PAIRS.find(({ approvalProxy }) => approvalProxy.toLowerCase() === wanted);
  const known = PUBLIC_CONTRACTS.get(wanted);
  return local?.router ?? (known?.name === "an approval proxy" ? known.router : undefined);
}
