import type { Address } from "viem";

/** The service's wallet on local networks. Its key is public. */
export const LOCAL_SOLVER_ADDRESS: Address = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720";

/** Uniswap's SwapRouter02 on local networks: it takes tokens from its caller only. */
export const LOCAL_SWAP_ROUTER_ADDRESS: Address = "0xDE2935ABf3e4fDD691354F2Fc86BEE24E10Fe254";

/** Turn permits into deposits on local networks, by the router's generation: they take permits from the local solver only. */
export const LOCAL_APPROVAL_PROXIES = {
  "3.0": "0x1c83D2408855D3044b8d0552545F0aD21301D8C6",
  "3.2": "0x8A8091ba53273329B95548Ac1ebc686183c0730A",
} as const satisfies Readonly<Record<string, Address>>;
