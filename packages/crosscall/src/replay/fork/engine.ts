export interface Engine {
  /** @throws {@link EngineError} if the node rejects the call */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

/** An error response of the node. Never leaves the fork in a changed state. */
export class EngineError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(parameters: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(parameters.message);
    this.code = parameters.code;
    this.data = parameters.data;
  }
}
