import { type Address, concat, type Hex, keccak256, type LocalAccount, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/**
 * Private keys of the mnemonic "test test test test test test test test test test test junk" at m/44'/60'/0'/0/0 to 19,
 * whose accounts every local EVM node prefunds. They are public: never send anything of value to them. They are not
 * derived, because that takes 0.1 s of CPU time in each process.
 */
export const NODE_KEYS = [
  "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
  "0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6",
  "0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a",
  "0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba",
  "0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e",
  "0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356",
  "0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97",
  "0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6",
  "0xf214f2b2cd398c806f84e317254e0f0b801d0643303237d97a22a48e01628897",
  "0x701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82",
  "0xa267530f49f8280200edf313ee7af6b827f2a8bce2897751d06a843f644967b1",
  "0x47c99abed3324a2707c28affff1267e45918ec8c3f20b8aa892e8b065d2942dd",
  "0xc526ee95bf44d8fc405a158bb884d9d1238d99f0612e9f33d006bb0789009aaa",
  "0x8166f546bab6da521a8369cab06c5d2b9e46670292d85c875ee9ec20e84ffb61",
  "0xea6c44ac03bff858b476bba40716402b03e41b8e97e276d1baec7c37d42484a0",
  "0x689af8efa8c651a91ad287602527f3af2fe9f6501a7ac4b061667b5a93e037fd",
  "0xde9be858da4a475276426320d5e9262ecfc3ba460bfac56360bfa6c4c28b4ee0",
  "0xdf57089febbacf7ba0bc227dafbffa9fc08a93fdc68e1e42411a14efcf23656e",
] as const;

/** The prefunded accounts of a local network. Their private keys are public. */
export interface LocalAccounts {
  /** User of an integrator's app. */
  readonly user: LocalAccount;
  /** Another user, for tests with two parties. */
  readonly stranger: LocalAccount;
  /** Account that signs withdrawals from the depository. */
  readonly allocator: LocalAccount;
  /** Account that deploys the contracts. */
  readonly deployer: LocalAccount;
  /** The service's wallet on every chain: it fills, refunds, and signs requests. */
  readonly solver: LocalAccount;
  /** Five accounts that the network does not use. */
  readonly spare: readonly LocalAccount[];
}

const spares = NODE_KEYS.slice(2, 7).map((privateKey) => ({ privateKey, account: privateKeyToAccount(privateKey) }));

/** Keys of the network's two oracles. They send nothing, and are not prefunded. */
export const ORACLE_KEYS: readonly [Hex, Hex] = [NODE_KEYS[10], NODE_KEYS[11]];

/**
 * Account that sends the raw calls of `POST /execute` and pays their gas. It holds nothing else, because callers choose
 * these calls.
 */
export const relayerAccount: LocalAccount = privateKeyToAccount(NODE_KEYS[12]);

/** The accounts of a local network. */
export const localAccounts: LocalAccounts = {
  user: privateKeyToAccount(NODE_KEYS[0]),
  stranger: privateKeyToAccount(NODE_KEYS[1]),
  allocator: privateKeyToAccount(NODE_KEYS[7]),
  deployer: privateKeyToAccount(NODE_KEYS[8]),
  solver: privateKeyToAccount(NODE_KEYS[9]),
  spare: spares.map(({ account }) => account),
};

export interface ListedAccount {
  readonly name: string;
  readonly address: Address;
  readonly privateKey: Hex;
}

export const localAccountList: readonly ListedAccount[] = [
  { name: "user", privateKey: NODE_KEYS[0], address: localAccounts.user.address },
  { name: "stranger", privateKey: NODE_KEYS[1], address: localAccounts.stranger.address },
  { name: "allocator", privateKey: NODE_KEYS[7], address: localAccounts.allocator.address },
  { name: "deployer", privateKey: NODE_KEYS[8], address: localAccounts.deployer.address },
  { name: "solver", privateKey: NODE_KEYS[9], address: localAccounts.solver.address },
  ...spares.map(({ privateKey, account: { address } }, index) => ({ name: `spare ${index + 1}`, privateKey, address })),
];

/** Domain separator: keeps these keys apart from other uses of a requestId. */
const DOMAIN = stringToHex("crosscall deposit address");

/**
 * Returns the account of a request's deposit address, which is the same on every chain. Its key derives from the
 * requestId, so nothing is stored, and is public like all keys of a local network. The live service uses contracts.
 */
export function depositAccount(requestId: Hex): LocalAccount {
  return privateKeyToAccount(keccak256(concat([DOMAIN, requestId])));
}
