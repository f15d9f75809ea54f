/** Values of `vmType` in `GET /chains`. */
export const CHAIN_VM_TYPES = ["bvm", "evm", "hypevm", "lvm", "svm", "tonvm", "tvm", "xrpvm"] as const;

export type ChainVmType = (typeof CHAIN_VM_TYPES)[number];

/** TON and the XRP Ledger have no documented ids; `GET /chains` returns them. */
const OTHER_IDS: readonly (readonly [ChainVmType, readonly number[]])[] = [
  // Bitcoin
  ["bvm", [8_253_038]],
  // Hyperliquid
  ["hypevm", [1_337]],
  // Lighter
  ["lvm", [3_586_256]],
  // Solana, Eclipse, SOON
  ["svm", [792_703_809, 9_286_185, 9_286_186]],
  // Tron
  ["tvm", [728_126_428]],
];

/** Ids of EVM chains, including the two default ids of development networks. */
const EVM_IDS: readonly number[] = [
  1, 10, 25, 56, 100, 130, 137, 143, 146, 169, 185, 232, 252, 288, 324, 360, 466, 480, 690, 747, 988, 999, 1_088, 1_101,
  1_135, 1_329, 1_424, 1_514, 1_625, 1_868, 1_923, 1_996, 2_020, 2_187, 2_741, 2_818, 2_911, 4_217, 4_326, 4_663, 5_000,
  5_031, 5_042, 5_330, 7_560, 7_869, 7_897, 8_333, 8_453, 9_745, 16_661, 17_071, 33_139, 33_979, 34_443, 42_018, 42_161,
  42_170, 42_220, 43_111, 43_114, 43_419, 48_900, 55_244, 57_073, 59_144, 60_808, 69_000, 70_700, 70_701, 80_094,
  81_457, 97_477, 98_866, 167_000, 510_003, 534_352, 543_210, 660_279, 685_689, 747_474, 984_122, 5_064_014, 7_777_777,
  21_000_000, 84_530_008, 666_666_666, 845_300_014, 888_888_888, 1_380_012_617,
  // Test networks
  1_301, 42_431, 84_532, 421_614, 11_155_111, 11_155_420,
  // Development networks
  31_337, 31_338,
];

/** Family by chain id. Other ids have an unknown family, and are not assumed to be EVM chains. */
export const VM_TYPE_BY_CHAIN_ID: ReadonlyMap<number, ChainVmType> = new Map([
  ...EVM_IDS.map((id) => [id, "evm"] as const),
  ...OTHER_IDS.flatMap(([vmType, ids]) => ids.map((id) => [id, vmType] as const)),
]);
