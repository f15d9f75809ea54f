/** The SVM chain's id (spec 2, section 6). */
export const SVM_CHAIN_ID = 792_703_809;

/** The exchange chain's id (spec 2, section 6). */
export const EXCHANGE_CHAIN_ID = 3_586_256;
