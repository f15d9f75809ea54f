import { CrosscallError } from "@crosscall/protocol/core";

/** The RPC endpoint no longer has the state of the block to fork. */
export class StateUnavailableError extends CrosscallError {
  readonly code = "STATE_UNAVAILABLE";
  /** The chain of the block. */
  readonly chainId: number;
  /** The block of the replay; decimal. */
  readonly blockNumber: string;

  constructor(parameters: { chainId: number; blockNumber: bigint; host: string; cause?: unknown }) {
    const { chainId, blockNumber, host, cause } = parameters;
    super({
      message: `${host} has no state of block ${blockNumber} of chain ${chainId}`,
      hint: "Pass the RPC URL of an archive node, or replay on a later block.",
      cause,
    });
    this.chainId = chainId;
    this.blockNumber = blockNumber.toString();
  }
}

/** Messages of nodes without a block's state. */
const PRUNED =
  /missing trie node|header not found|state (is )?not available|state .* is not available|pruned|historical state|block not found|BlockOutOfRange|unknown block|archive/iu;

export function saysPruned(message: string): boolean {
  return PRUNED.test(message);
}
