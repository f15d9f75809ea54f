import type { FailReason } from "../request/failReasons.ts";

/**
 * Errors with a known meaning, by `failReason`: from ERC standards, published libraries and protocols, and crosscall.
 * Selectors are computed from these signatures.
 */
export const KNOWN_ERRORS: Partial<Record<FailReason, readonly string[]>> = {
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: [
    "ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
    "ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)",
    "InsufficientBalance()",
    "BalanceTooLow(address holder, uint256 balance, uint256 needed)",
  ],
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE: [
    "ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
    "ERC721InsufficientApproval(address operator, uint256 tokenId)",
    "ERC1155MissingApprovalForAll(address operator, address owner)",
    "InsufficientAllowance()",
    "AllowanceTooLow(address spender, uint256 allowance, uint256 needed)",
    "InsufficientAllowance(uint256 amount)",
  ],
  TRANSFER_FAILED: [
    "SafeERC20FailedOperation(address token)",
    "TransferFailed()",
    "ETHTransferFailed()",
    "NativeTransferFailed()",
    "NativeTransferFailed(address recipient, uint256 amount)",
    "NativeTokenTransferGenericFailure(address account, uint256 amount)",
  ],
  TRANSFER_FROM_FAILED: [
    "TransferFromFailed()",
    "TransferInFailed()",
    "TokenTransferGenericFailure(address token, address from, address to, uint256 identifier, uint256 amount)",
  ],
  DESTINATION_TOKEN_TRANSFER_REJECTED: [
    "ERC20InvalidReceiver(address receiver)",
    "ERC721InvalidReceiver(address receiver)",
    "ERC1155InvalidReceiver(address receiver)",
    "TransferToNonERC721ReceiverImplementer()",
    "TransferToNonERC1155ReceiverImplementer()",
    "NoRecipientSet()",
    "Blocked(address account)",
  ],
  TOKEN_NOT_TRANSFERABLE: ["TokenNotTransferable()", "NonTransferable()", "Soulbound()"],
  INVALID_SENDER: ["ERC20InvalidSender(address sender)", "ERC721InvalidSender(address sender)"],
  CONTRACT_PAUSED: ["EnforcedPause()", "Paused()", "ContractPaused()"],
  SIGNATURE_EXPIRED: [
    "ERC2612ExpiredSignature(uint256 deadline)",
    "SignatureExpired(uint256 signatureDeadline)",
    "AllowanceExpired(uint256 deadline)",
    "PermitExpired()",
    "AuthorizationExpired(uint256 validBefore, uint256 timestamp)",
    "DeadlinePassed(uint256 deadline, uint256 timestamp)",
    "TransactionDeadlinePassed()",
    "PaymentExpired(uint256 validUntil, uint256 timestamp)",
  ],
  INVALID_SIGNATURE: [
    "InvalidSignature()",
    "InvalidSignatureLength()",
    "InvalidContractSignature()",
    "BadContractSignature()",
    "BadSignatureV(uint8 v)",
    "ECDSAInvalidSignature()",
    "ECDSAInvalidSignatureLength(uint256 length)",
    "ECDSAInvalidSignatureS(bytes32 s)",
  ],
  INVALID_SIGNER: [
    "InvalidSigner()",
    "ERC2612InvalidSigner(address signer, address owner)",
    "InvalidAuthorizationSigner(address signer, address authorizer)",
    "WrongSigner(address signer, address solver)",
  ],
  INVALID_NONCE: [
    "InvalidNonce()",
    "InvalidAccountNonce(address account, uint256 currentNonce)",
    "AuthorizationAlreadyUsed(address authorizer, bytes32 nonce)",
  ],
  TOO_LITTLE_RECEIVED: [
    "V2TooLittleReceived()",
    "V3TooLittleReceived()",
    "V4TooLittleReceived(uint256 minAmountOutReceived, uint256 amountReceived)",
    "TooLittleReceived()",
    "ReturnAmountIsNotEnough(uint256 result, uint256 minReturn)",
    "InsufficientInput(uint256 amountIn, uint256 minimumIn)",
    "InsufficientInput(address token, uint256 amount, uint256 minimumIn)",
  ],
  SLIPPAGE: [
    "TooMuchSlippage(address token, uint256 expected, uint256 actual)",
    "SlippageExceeded()",
    "V2TooMuchRequested()",
    "V3TooMuchRequested()",
    "V4TooMuchRequested(uint256 maxAmountInRequested, uint256 amountRequested)",
    "InsufficientOutput(uint256 amountOut, uint256 minimumOut)",
    "InsufficientOutput(address token, uint256 amount, uint256 minimumOut)",
  ],
  INSUFFICIENT_POOL_LIQUIDITY: ["InsufficientLiquidity()", "NotEnoughLiquidity(bytes32 poolId)"],
  ZERO_SELL_AMOUNT: ["ZeroSellAmount(address token)", "SwapAmountCannotBeZero()"],
  FLUID_DEX_ERROR: ["FluidDexError(uint256 errorId)"],
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED: [
    "InsufficientNativeTokensSupplied()",
    "InsufficientEtherSupplied()",
    "InsufficientETH()",
    "InsufficientBalance(uint256 balance, uint256 needed)",
    "AddressInsufficientBalance(address account)",
  ],
  INCORRECT_PAYMENT: [
    "IncorrectPayment(uint256 got, uint256 want)",
    "InvalidMsgValue(uint256 value)",
    "WrongValueSent()",
    "Purchase_WrongPrice(uint256 correctPrice)",
  ],
  MINT_NOT_ACTIVE: [
    "MintNotActive()",
    "NotActive(uint256 currentTimestamp, uint256 startTimestamp, uint256 endTimestamp)",
    "Sale_Inactive()",
    "SaleHasNotStarted()",
    "SaleEnded()",
    "DropClaimNotStarted(uint256 expected, uint256 actual)",
  ],
  MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET: [
    "MintQuantityExceedsMaxMintedPerWallet(uint256 total, uint256 allowed)",
    "Purchase_TooManyForAddress()",
    "DropClaimExceedLimit(uint256 available, uint256 actual)",
  ],
  MINT_QUANTITY_EXCEEDS_MAX_SUPPLY: [
    "MintQuantityExceedsMaxSupply(uint256 total, uint256 maxSupply)",
    "MintQuantityExceedsMaxTokenSupplyForStage(uint256 total, uint256 maxTokenSupplyForStage)",
    "Mint_SoldOut()",
    "DropClaimExceedMaxSupply(uint256 available, uint256 actual)",
  ],
  ERC_1155_TOO_MANY_REQUESTED: [
    "CannotMintMoreTokens(uint256 tokenId, uint256 quantity, uint256 totalMinted, uint256 maxSupply)",
  ],
  ORDER_ALREADY_FILLED: ["OrderAlreadyFilled(bytes32 orderHash)", "OrderPartiallyFilled(bytes32 orderHash)"],
  ORDER_IS_CANCELLED: ["OrderIsCancelled(bytes32 orderHash)"],
  ORDER_EXPIRED: ["InvalidTime(uint256 startTime, uint256 endTime)"],
  SEAPORT_INEXACT_FRACTION: ["InexactFraction()"],
  SEAPORT_INVALID_FULFILLER: [
    "InvalidFulfiller(address expectedFulfiller, address actualFulfiller, bytes32 orderHash)",
  ],
  INVALID_GAS_PRICE: ["InvalidGasPrice()"],
  EXECUTION_REVERTED: ["CallFailed()"],
};

/** Errors that mean something else if their first argument is zero: Permit2 has no expiration without an allowance. */
export const ZERO_REASONS: Readonly<Record<string, FailReason>> = {
  AllowanceExpired: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
};

/** Errors with another call's revert data in the last argument, which determines the reason. */
export const WRAPPING_ERRORS: readonly string[] = [
  "StepFailed(uint256 step, address target, bytes revertData)",
  "NativeTransferFailed(address to, uint256 amount, bytes returnData)",
  "CallFailed(bytes returnData)",
  "ForwardFailed(address solver, uint256 amount, bytes returnData)",
  "FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)",
  "ExecutionFailed(uint256 commandIndex, bytes message)",
  "WrappedError(address target, bytes4 selector, bytes reason, bytes details)",
];

/** Errors that replace the error of an inner call, like the router's errors, so only the trace has the reason. */
export const MASKING_ERRORS: readonly string[] = [
  "CallFailed()",
  "TransferFailed()",
  "TransferFromFailed()",
  "ETHTransferFailed()",
  "NativeTransferFailed()",
];

/** Errors with a text that determines the reason. */
export const TEXT_ERRORS: readonly string[] = ["FailedOp(uint256 opIndex, string reason)"];

/**
 * Texts by reason. The first match counts, so exact texts come first. Short texts from Uniswap v3 must match
 * completely.
 */
export const KNOWN_TEXTS: readonly (readonly [RegExp, FailReason])[] = [
  [/^STF$/u, "TRANSFER_FROM_FAILED"],
  [/^(TF|STE)$/u, "TRANSFER_FAILED"],
  [/^SPL$/u, "SLIPPAGE"],
  [/^AS$/u, "ZERO_SELL_AMOUNT"],
  [/^IIA$/u, "INCORRECT_PAYMENT"],
  [/^AA25\b/u, "ACCOUNT_ABSTRACTION_INVALID_NONCE"],
  [/^AA[23]4\b/u, "ACCOUNT_ABSTRACTION_SIGNATURE_ERROR"],
  [/^AA[23]2\b/u, "SIGNATURE_EXPIRED"],
  [/^AA(26|36|4[01]|51|95)\b/u, "ACCOUNT_ABSTRACTION_GAS_LIMIT"],
  [
    /Too little received|(?<!Library: |V2: )INSUFFICIENT_OUTPUT_AMOUNT|Return amount is not enough/iu,
    "TOO_LITTLE_RECEIVED",
  ],
  [/Too much requested|EXCESSIVE_INPUT_AMOUNT|slippage/iu, "SLIPPAGE"],
  [/INSUFFICIENT_LIQUIDITY(?!_)|insufficient liquidity/iu, "INSUFFICIENT_POOL_LIQUIDITY"],
  [
    /exceeds allowance|insufficient[- ]allowance|(?<!approve caller is )not (token )?owner (n)?or approved/iu,
    "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
  ],
  [
    /(?<!ERC1155: )insufficient balance for (the )?(transfer|call)|Address: insufficient balance/iu,
    "INSUFFICIENT_NATIVE_TOKENS_SUPPLIED",
  ],
  [/exceeds balance|insufficient[- ]balance/iu, "TRANSFER_AMOUNT_EXCEEDS_BALANCE"],
  [
    /non[- ]?ERC(721|1155)Receiver|receiver rejected tokens|^(?!.*not the blacklister).*blacklist|blocklist/iu,
    "DESTINATION_TOKEN_TRANSFER_REJECTED",
  ],
  [/TRANSFER_FROM_FAILED|transferFrom failed/iu, "TRANSFER_FROM_FAILED"],
  [/TRANSFER_FAILED|transfer failed|SafeERC20: (low-level call|ERC20 operation)/iu, "TRANSFER_FAILED"],
  [/not transferable|non-?transferable|soulbound/iu, "TOKEN_NOT_TRANSFERABLE"],
  [/(?<!not |un)paused/iu, "CONTRACT_PAUSED"],
  [/(?<!not (yet )?)expired|deadline(?! not)|Transaction too old/iu, "SIGNATURE_EXPIRED"],
  [/invalid (account )?nonce|authorization is used/iu, "INVALID_NONCE"],
  [/invalid signer/iu, "INVALID_SIGNER"],
  [/invalid signature/iu, "INVALID_SIGNATURE"],
  [
    /(mint|sale|claim)\w* (is )?(not (yet )?(active|live|open|started)|inactive|closed|has(n't| not) started)/iu,
    "MINT_NOT_ACTIVE",
  ],
  [/max(imum)?[ _-]?(mints? )?per[ _-]?wallet|wallet limit/iu, "MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET"],
  [/max(imum)?[ _-]?supply|sold ?out/iu, "MINT_QUANTITY_EXCEEDS_MAX_SUPPLY"],
  [/(incorrect|wrong|invalid) (payment|value|price(?! (feed|oracle))|ether|eth)\b/iu, "INCORRECT_PAYMENT"],
  [/(insufficient|not enough) (native|ether|eth|value|msg\.value)/iu, "INSUFFICIENT_NATIVE_TOKENS_SUPPLIED"],
  [/gas price/iu, "INVALID_GAS_PRICE"],
  [/already filled/iu, "ORDER_ALREADY_FILLED"],
];
