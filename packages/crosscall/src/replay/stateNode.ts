/** A node with mutable state: a fork, or a test network. */
export interface StateNode {
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
}
