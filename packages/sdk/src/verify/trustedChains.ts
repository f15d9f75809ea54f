// Sources: the service's page "Contract addresses" and its changelog (docs.relay.link) for
// solvers; the network files of github.com/relayprotocol/relay-settlement for names and depositories; the
// service's published SDK for delegates; its quotes for lookup tables.
import {
  BATCH_EXECUTOR_ADDRESS,
  DEPOSITORY_ADDRESS,
  LOCAL_SOLVER_ADDRESS,
  LOCAL_SWAP_ROUTER_ADDRESS,
  SOLVER_ADDRESS,
} from "@crosscall/protocol/chains";
import { LOCAL_PAIRS, servicePairs } from "@crosscall/protocol/generations";
import { SVM_PROGRAMS } from "@crosscall/protocol/vms/svmPrograms";

/** Month in which the sources were last read. */
export const TRUST_READ_IN = "November 2026";

/** Accounts that may take or receive funds on a chain. Addresses are in the chain's format. */
export interface TrustedChain {
  /** Name of the chain in orders, such as `base`. */
  readonly name: string;
  /** Contracts or programs that take deposits. */
  readonly depositories: readonly string[];
  /** The service's wallets, which sign orders and accept permits. */
  readonly solvers: readonly string[];
  /** The service's routers, of all versions in use. */
  readonly routers?: readonly string[];
  /** Contracts that take approved tokens only from their caller, such as the service's approval proxies. */
  readonly spenders?: readonly string[];
  /** Programs that an SVM transaction may call. */
  readonly programs?: readonly string[];
  /** Lookup tables that an SVM deposit may load. */
  readonly lookupTables?: readonly string[];
  /** Contracts that the user's account may delegate to (EIP-7702). */
  readonly delegates?: readonly string[];
  /** Other accounts that a swap may pay, such as an aggregator's fee accounts. No others are allowed. */
  readonly payees?: readonly string[];
}

type Contracts = Pick<TrustedChain, "depositories" | "routers" | "spenders">;

const CANCUN: Contracts = { depositories: [DEPOSITORY_ADDRESS], ...servicePairs("cancun") };

/** Contracts on chains without transient storage. */
const LONDON: Contracts = {
  depositories: ["0x59916da825d2d2ec1bf878d71c88826f6633ecca"],
  ...servicePairs("london"),
};

/** Some ZK Stack chains also run the first build. */
const ZK_STACK: Contracts = {
  depositories: [DEPOSITORY_ADDRESS],
  ...servicePairs("zkStack", "cancun"),
};

type Named = readonly [chainId: number, name: string];

const CANCUN_CHAINS: readonly Named[] = [
  [1, "ethereum"],
  [10, "optimism"],
  [56, "bnb"],
  [100, "gnosis"],
  [130, "unichain"],
  [137, "polygon"],
  [143, "monad"],
  [146, "sonic"],
  [169, "manta"],
  [185, "mint"],
  [288, "boba"],
  [360, "shape"],
  [466, "appchain"],
  [480, "worldchain"],
  [690, "redstone"],
  [747, "flow"],
  [988, "stable"],
  [999, "hyperevm"],
  [1_135, "lisk"],
  [1_329, "sei"],
  [1_424, "perennial"],
  [1_514, "story"],
  [1_625, "gravity"],
  [1_868, "soneium"],
  [1_923, "swellchain"],
  [1_996, "sanko"],
  [2_020, "ronin"],
  [2_187, "game7"],
  [2_818, "morph"],
  [4_217, "tempo"],
  [4_326, "megaeth"],
  [4_663, "robinhood"],
  [5_031, "somnia"],
  [5_042, "arc"],
  [5_330, "superseed"],
  [7_560, "cyber"],
  [7_869, "powerloom"],
  [7_897, "arena_z"],
  [8_333, "b3"],
  [8_453, "base"],
  [9_745, "plasma"],
  [17_071, "onchain_points"],
  [33_139, "apechain"],
  [33_979, "funki"],
  [34_443, "mode"],
  [42_018, "mythos"],
  [42_161, "arbitrum"],
  [42_170, "arbitrum_nova"],
  [42_220, "celo"],
  [43_111, "hemi"],
  [43_114, "avalanche"],
  [43_419, "gunz"],
  [48_900, "zircuit"],
  [55_244, "superposition"],
  [57_073, "ink"],
  [60_808, "bob"],
  [69_000, "anime"],
  [70_700, "apex"],
  [70_701, "boss"],
  [80_094, "berachain"],
  [81_457, "blast"],
  [97_477, "doma"],
  [98_866, "plume"],
  [510_003, "syndicate"],
  [534_352, "scroll"],
  [660_279, "xai"],
  [685_689, "gensyn"],
  [747_474, "katana"],
  [984_122, "forma"],
  [5_064_014, "ethereal"],
  [7_777_777, "zora"],
  [21_000_000, "corn"],
  [84_530_008, "lordchain"],
  [666_666_666, "degen"],
  [845_300_014, "metacade"],
  [888_888_888, "ancient8"],
  [1_380_012_617, "rari"],
];

const LONDON_CHAINS: readonly Named[] = [
  [25, "cronos"],
  [1_088, "metis"],
  [1_101, "polygon_zkevm"],
  [2_911, "hychain"],
  [5_000, "mantle"],
  [59_144, "linea"],
  [167_000, "taiko"],
];

/** Contracts on test networks. */
const TEST_CONTRACTS: Contracts = { ...CANCUN, depositories: ["0x5feab8db4534f9f7e2669bb260c57a01ad1c12e3"] };

const SVM = {
  depositories: ["99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2"],
  solvers: [SOLVER_ADDRESS, "F7p3dFrjRTbtRp8FRF6qHLomXbKRBzpvBLjtQcfcgmNe"],
  programs: SVM_PROGRAMS,
  // Solana's lookup tables. No other account can have the address of a lookup table.
  lookupTables: ["Hm9fUgcn7qwDaiNTFiGh6pNtVATgnaRcmK6Bbx6EMZfP"],
};

/** Chains with the batch executor of the service's published SDK. */
const BATCH_EXECUTOR_CHAINS: readonly number[] = [1, 10, 56, 130, 8_453, 42_161];

const evm = (chains: readonly Named[], contracts: Contracts): readonly (readonly [number, TrustedChain])[] =>
  chains.map(([id, name]) => {
    const delegates = BATCH_EXECUTOR_CHAINS.includes(id) ? { delegates: [BATCH_EXECUTOR_ADDRESS] } : {};
    return [id, { name, ...contracts, solvers: [SOLVER_ADDRESS], ...delegates }];
  });

/** Local networks. The solver's private key is public, so trust the solver only there. */
const LOCAL_CHAINS: readonly (readonly [number, TrustedChain])[] = [31_337, 31_338].map((id) => [
  id,
  {
    name: `local-${id}`,
    depositories: [DEPOSITORY_ADDRESS],
    routers: LOCAL_PAIRS.map(({ router }) => router),
    spenders: [LOCAL_SWAP_ROUTER_ADDRESS, ...LOCAL_PAIRS.map(({ approvalProxy }) => approvalProxy)],
    solvers: [LOCAL_SOLVER_ADDRESS],
    delegates: [BATCH_EXECUTOR_ADDRESS],
  },
]);

export const TRUSTED_CHAINS: Readonly<Record<number, TrustedChain>> = Object.fromEntries([
  ...evm(CANCUN_CHAINS, CANCUN),
  ...evm(LONDON_CHAINS, LONDON),
  ...evm(
    [
      [324, "zksync"],
      [2_741, "abstract"],
    ],
    ZK_STACK,
  ),
  ...evm([[543_210, "zero"]], { ...ZK_STACK, depositories: ["0xa88cf7864951147a08707ed732237eaa9b1c3b9b"] }),
  ...evm(
    [
      [84_532, "base-sepolia"],
      [11_155_111, "sepolia"],
    ],
    TEST_CONTRACTS,
  ),
  ...LOCAL_CHAINS,
  [792_703_809, { name: "solana", ...SVM }],
  [9_286_185, { name: "eclipse", ...SVM }],
  [9_286_186, { name: "soon", ...SVM }],
  [
    8_253_038,
    {
      name: "bitcoin",
      depositories: ["bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu"],
      solvers: [SOLVER_ADDRESS, "bc1qq2mvrp4g3ugd424dw4xv53rgsf8szkrv853jrc"],
    },
  ],
  [
    728_126_428,
    {
      name: "tron",
      depositories: ["TXtEs6t2oUWQsNos7m68gbHdE9Q5n6x2oN"],
      solvers: [SOLVER_ADDRESS, "TYVWGh8XkmU49Hi9PkGAZXiiJPB3J5zJZy"],
    },
  ],
  [
    1_337,
    {
      name: "hyperliquid",
      depositories: ["0x66cf0aace1b4e562593bec10ec7868fba9932224", "0x865eb9baa5492cef598adf7afb1038654fcb7081"],
      solvers: [SOLVER_ADDRESS],
    },
  ],
  [3_586_256, { name: "lighter", depositories: ["731033", "723071"], solvers: [SOLVER_ADDRESS] }],
] as const satisfies readonly (readonly [number, TrustedChain])[]);
