import type { Address } from "viem";

/** The service's wallet on local networks. Its key is public. */
export const LOCAL_SOLVER_ADDRESS: Address = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720";

/** Uniswap's SwapRouter02 on local networks: it pulls tokens only from its caller. */
export const LOCAL_SWAP_ROUTER_ADDRESS: Address = "0xDE2935ABf3e4fDD691354F2Fc86BEE24E10Fe254";
