import type { Address } from "viem";

/** Where the service's router (v3) stands on every Cancun-level chain, and so on local ones. */
export const ROUTER_ADDRESS: Address = "0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f";

/** Where the service's depository stands on most chains, and so on local ones. */
export const DEPOSITORY_ADDRESS: Address = "0x4cD00E387622C35bDDB9b4c962C136462338BC31";

/** The service's solver wallet on every EVM chain: it signs requests and receives their payments. */
export const SOLVER_ADDRESS: Address = "0xf70da97812CB96acDF810712Aa562db8dfA3dbEF";

/** Where Permit2 stands on most chains. */
export const PERMIT2_ADDRESS: Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

/** The EVM chain of the settlement hub. */
export const HUB_CHAIN_ID = 537_713;

/** The oracle contract on the settlement hub, which executes what oracles sign. */
export const ORACLE_ADDRESS: Address = "0x795f9464eE05a34Fe1E18925ca4e4753DCd60058";
