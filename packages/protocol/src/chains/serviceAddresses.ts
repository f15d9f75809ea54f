import type { Address } from "viem";

/** Address of the service's depository on most chains, including local chains. */
export const DEPOSITORY_ADDRESS: Address = "0x4cD00E387622C35bDDB9b4c962C136462338BC31";

/** Address of the service's solver wallet on every EVM chain. The wallet signs requests and receives their payments. */
export const SOLVER_ADDRESS: Address = "0xf70da97812CB96acDF810712Aa562db8dfA3dbEF";

/** Address of Permit2 on most chains. */
export const PERMIT2_ADDRESS: Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

/**
 * Address of Calibur on most chains, including local chains. Calibur executes batches for accounts that delegate to it
 * (EIP-7702).
 */
export const BATCH_EXECUTOR_ADDRESS: Address = "0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00";

export const HUB_CHAIN_ID = 537_713;

/** Address of the contract that runs oracle-signed executions on the settlement hub. */
export const ORACLE_ADDRESS: Address = "0x795f9464eE05a34Fe1E18925ca4e4753DCd60058";

/** Address of the service's wallet on local networks. The wallet's private key is public. */
export const LOCAL_SOLVER_ADDRESS: Address = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720";

/** Address of Uniswap's SwapRouter02 on local networks. The router takes tokens from its caller only. */
export const LOCAL_SWAP_ROUTER_ADDRESS: Address = "0xDE2935ABf3e4fDD691354F2Fc86BEE24E10Fe254";
