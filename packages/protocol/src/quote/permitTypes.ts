type Members = readonly { readonly name: string; readonly type: string }[];

/** A permit as EIP-712 types. */
export interface PermitTypes {
  readonly primaryType: string;
  readonly types: Readonly<Record<string, Members>>;
}

const members = (...pairs: readonly string[]): Members =>
  pairs.map((pair) => {
    const [type = "", name = ""] = pair.split(" ");
    return { name, type };
  });

/** EIP-3009. */
export const AUTHORIZATION_TYPES: PermitTypes = {
  primaryType: "TransferWithAuthorization",
  types: {
    TransferWithAuthorization: members(
      "address from",
      "address to",
      "uint256 value",
      "uint256 validAfter",
      "uint256 validBefore",
      "bytes32 nonce",
    ),
  },
};

/** EIP-2612. */
export const TOKEN_PERMIT_TYPES: PermitTypes = {
  primaryType: "Permit",
  types: { Permit: members("address owner", "address spender", "uint256 value", "uint256 nonce", "uint256 deadline") },
};

/** Permit2 with a witness that names the solver. */
export const PERMIT2_TYPES: PermitTypes = permit2Types(members("address relayer"));

/** Permit2 with the calls of a same-chain request, for approval proxy 3.0. */
export const PERMIT2_CALLS_TYPES: PermitTypes = permit2Types(
  members("address relayer", "address refundTo", "address nftRecipient", "bytes metadata", "Call3Value[] call3Values"),
);

/** Permit2 with calls for approval proxy 3.2, which also signs the relayer's native currency. */
export const PERMIT2_VALUE_CALLS_TYPES: PermitTypes = permit2Types(
  members(
    "address relayer",
    "uint256 msgValue",
    "address refundTo",
    "address nftRecipient",
    "bytes metadata",
    "Call3Value[] call3Values",
  ),
);

/** Documented permits; Permit2 with each witness of the service. */
export const PERMITS: readonly PermitTypes[] = [
  AUTHORIZATION_TYPES,
  TOKEN_PERMIT_TYPES,
  PERMIT2_TYPES,
  permit2Types(members("address relayer", "address refundTo", "address nftRecipient", "Call3Value[] call3Values")),
  PERMIT2_CALLS_TYPES,
  PERMIT2_VALUE_CALLS_TYPES,
];

function permit2Types(witness: Members): PermitTypes {
  const call = members("address target", "bool allowFailure", "uint256 value", "bytes callData");
  return {
    primaryType: "PermitBatchWitnessTransferFrom",
    types: {
      PermitBatchWitnessTransferFrom: members(
        "TokenPermissions[] permitted",
        "address spender",
        "uint256 nonce",
        "uint256 deadline",
        "RelayerWitness witness",
      ),
      TokenPermissions: members("address token", "uint256 amount"),
      RelayerWitness: witness,
      ...(witness.length === 1 ? {} : { Call3Value: call }),
    },
  };
}
