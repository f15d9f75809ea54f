/** How a wallet reports that its user rejected a request. */
export type RejectionForm =
  /** An error with code 4001 (EIP-1193). */
  | "code4001"
  /** An error with code 5000 (CAIP-25, WalletConnect). */
  | "code5000"
  /** An error with code 5002 (CAIP-25, WalletConnect). */
  | "code5002"
  /** An error with code `ACTION_REJECTED` (ethers). */
  | "actionRejected"
  /** An error with code -32603 that has the rejection in `data.originalError`. */
  | "nested"
  /** A plain object with code 4001. */
  | "object"
  /** An error without a code. */
  | "message"
  /** A string. */
  | "string"
  /** A hardware wallet's status 0x6985. */
  | "hardware";

export const REJECTIONS: Readonly<Record<RejectionForm, () => unknown>> = {
  code4001: () => errorWith("User rejected the request.", { code: 4_001 }),
  code5000: () => errorWith("User rejected.", { code: 5_000 }),
  code5002: () => errorWith("User rejected methods.", { code: 5_002 }),
  actionRejected: () => errorWith("user rejected action", { code: "ACTION_REJECTED", action: "sendTransaction" }),
  nested: () =>
    errorWith("Internal JSON-RPC error.", {
      code: -32_603,
      data: { originalError: { code: 4_001, message: "User denied transaction signature." } },
    }),
  object: () => ({ code: 4_001, message: "User rejected the request." }),
  message: () => new Error("User denied transaction signature."),
  string: () => "User rejected the transaction",
  hardware: () =>
    errorWith("Condition of use not satisfied (denied by the user?) (0x6985)", {
      name: "TransportStatusError",
      statusCode: 0x69_85,
    }),
};

function errorWith(message: string, fields: Readonly<Record<string, unknown>>): Error {
  return Object.assign(new Error(message), fields);
}
