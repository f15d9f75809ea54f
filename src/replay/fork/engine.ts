/** A node that runs the EVM on a copy of a chain. */
export interface Engine {
  /** @throws {@link EngineError} when the node refuses the call */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

/** What a node answered in place of a result. Never leaves the fork as it is. */
export class EngineError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(parameters: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(parameters.message);
    this.code = parameters.code;
    this.data = parameters.data;
  }
}
