/** A node whose state may be changed: a fork, or the network of a test. */
export interface StateNode {
  /** Any call of the node's JSON-RPC, the ones of Hardhat's node to change state among them. */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
}
