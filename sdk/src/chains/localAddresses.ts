import type { Address } from "viem";

/** The service's wallet on local networks. Its key is public. */
export const LOCAL_SOLVER_ADDRESS: Address = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720";

/** Uniswap's SwapRouter02 on local networks: it takes tokens from its caller only. */
export const LOCAL_SWAP_ROUTER_ADDRESS: Address = "0xDE2935ABf3e4fDD691354F2Fc86BEE24E10Fe254";

/** Turn permits into deposits on local networks, by the router's generation: they take permits from the local solver only. */
export const LOCAL_APPROVAL_PROXIES = {
  "3.0": "0xbDe80F2719050ab00fd8060A5dDd2C6346B5FC72",
  "3.2": "0x78846d8a8022363F462565C25D5E21e2c909261D",
} as const satisfies Readonly<Record<string, Address>>;
