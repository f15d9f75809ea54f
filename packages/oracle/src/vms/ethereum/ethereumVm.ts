import { ETHEREUM_DIALECT } from "./dialect.ts";
import { evmFamily } from "./evmFamily.ts";

export const ETHEREUM_VM = evmFamily(ETHEREUM_DIALECT);
