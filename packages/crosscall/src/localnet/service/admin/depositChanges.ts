/** What can happen to the deposit of a held fill. In a module of its own, since the help of every command loads it. */
export const DEPOSIT_CHANGES = ["drop", "reorg"] as const;
