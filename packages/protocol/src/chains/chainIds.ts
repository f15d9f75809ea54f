export const BITCOIN_CHAIN_ID = 8_253_038;

/** Id of the SVM chain (spec 2, section 6). */
export const SVM_CHAIN_ID = 792_703_809;

/** Id of the exchange chain (spec 2, section 6). */
export const EXCHANGE_CHAIN_ID = 3_586_256;

export const HYPERLIQUID_CHAIN_ID = 1_337;

export const TRON_CHAIN_ID = 728_126_428;
