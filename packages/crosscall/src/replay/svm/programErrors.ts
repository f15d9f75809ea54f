// Sources of names and numbers: github.com/solana-program (system, token, token-2022, associated-token-account), the
// error codes of the framework Anchor, and github.com/relayprotocol/relay-depository.

/** Name of an error, what it means, and how to fix it. */
export type KnownError = readonly [name: string, meaning: string, hint: string];

/** Errors by number. */
export type ErrorTable = Readonly<Record<number, KnownError>>;

const REQUOTE = "Request a new quote, and send its instructions without changes.";
const SEND_AS_QUOTED = "Send the accounts of the quote's step in their order, without changes.";
const FUND = "Fund the account, or use a smaller amount.";
const OTHER_ACCOUNT = "Use the token account of this mint and owner.";
const OTHER_AUTHORITY = "Sign with the owner of the account or its delegate.";
const WITHDRAW_AGAIN =
  "Request the allocator's signature for this withdrawal again, and send both instructions unchanged.";
const CHECK_BUILDER = "Check the code that builds the instruction.";

/** Errors of the System program. */
export const SYSTEM_ERRORS: ErrorTable = {
  0: [
    "AccountAlreadyInUse",
    "An account with this address already exists.",
    "Use another address. A depository's withdrawal that was already paid fails so too.",
  ],
  1: ["ResultWithNegativeLamports", "The account does not have enough SOL.", FUND],
  2: ["InvalidProgramId", "The account cannot be assigned to this program.", CHECK_BUILDER],
  3: ["InvalidAccountDataLength", "An account cannot have this size.", CHECK_BUILDER],
  4: ["MaxSeedLengthExceeded", "The seed is too long.", "Use a seed of at most 32 bytes."],
  5: ["AddressWithSeedMismatch", "The address does not follow from the seed.", CHECK_BUILDER],
  6: ["NonceNoRecentBlockhashes", "The list of recent block hashes is empty.", "Send the transaction again."],
  7: ["NonceBlockhashNotExpired", "The nonce was already advanced in this block.", "Send the transaction again."],
  8: ["NonceUnexpectedBlockhashValue", "The nonce account has a different nonce.", "Use the nonce of the account."],
};

/** Errors of the Token program and Token-2022. */
export const TOKEN_ERRORS: ErrorTable = {
  0: ["NotRentExempt", "The account has less SOL than its rent requires.", "Send more SOL to the account."],
  1: ["InsufficientFunds", "The token account does not have enough tokens.", FUND],
  2: ["InvalidMint", "The account is not a valid mint.", "Use the mint's address."],
  3: ["MintMismatch", "The token account belongs to a different mint.", OTHER_ACCOUNT],
  4: ["OwnerMismatch", "The signer does not own the token account.", OTHER_AUTHORITY],
  5: ["FixedSupply", "The mint has no authority that can mint.", "Use tokens that exist."],
  6: ["AlreadyInUse", "The account is already initialized.", "Use the existing account, or another address."],
  7: ["InvalidNumberOfProvidedSigners", "The number of signers is invalid.", OTHER_AUTHORITY],
  8: ["InvalidNumberOfRequiredSigners", "The number of required signers is invalid.", CHECK_BUILDER],
  9: ["UninitializedState", "The account is not initialized.", "Create the token account first."],
  10: ["NativeNotSupported", "The instruction does not support wrapped SOL.", "Use closeAccount to unwrap SOL."],
  11: ["NonNativeHasBalance", "An account with tokens cannot be closed.", "Transfer or burn its tokens first."],
  12: ["InvalidInstruction", "The instruction is invalid.", CHECK_BUILDER],
  13: [
    "InvalidState",
    "The account's state does not allow the instruction.",
    "Check whether the account is initialized.",
  ],
  14: ["Overflow", "An amount is too large.", "Use a smaller amount."],
  15: ["AuthorityTypeNotSupported", "The account does not have this kind of authority.", CHECK_BUILDER],
  16: ["MintCannotFreeze", "The mint has no authority that can freeze accounts.", CHECK_BUILDER],
  17: [
    "AccountFrozen",
    "The token's issuer has frozen the account.",
    "Use another account, or ask the token's issuer.",
  ],
  18: ["MintDecimalsMismatch", "The decimals differ from those of the mint.", "Pass the mint's decimals."],
  19: ["NonNativeNotSupported", "The instruction only supports wrapped SOL.", CHECK_BUILDER],
};

/** Further errors of Token-2022 that transfers have. */
export const TOKEN_2022_ERRORS: ErrorTable = {
  28: ["MintHasSupply", "The mint still has a supply.", "Burn all tokens first."],
  29: ["NoAuthorityExists", "The mint does not have this authority.", CHECK_BUILDER],
  30: ["TransferFeeExceedsMaximum", "The transfer fee exceeds its maximum.", CHECK_BUILDER],
  31: ["MintRequiredForTransfer", "The token requires its mint in transfers.", "Use transferChecked."],
  32: ["FeeMismatch", "The fee differs from the fee of the mint.", "Compute the fee from the mint's current rate."],
  35: [
    "AccountHasWithheldTransferFees",
    "The account has withheld transfer fees.",
    "Harvest the fees to the mint first.",
  ],
  36: ["NoMemo", "The recipient requires a memo before the transfer.", "Add a memo instruction before the transfer."],
  37: ["NonTransferable", "The token cannot be transferred.", "Use another token."],
  42: ["CpiGuardTransferBlocked", "The account does not allow transfers by programs.", "Turn off its CPI guard."],
  67: ["MintPaused", "The token's issuer has paused its transfers.", "Use another token, or wait."],
};

/** Errors of the Associated Token program. */
export const ASSOCIATED_TOKEN_ERRORS: ErrorTable = {
  0: ["InvalidOwner", "The address of the account does not follow from its owner and mint.", OTHER_ACCOUNT],
};

const DEPOSITORY_OWN_ERRORS: ErrorTable = {
  6000: ["TransferRequestAlreadyUsed", "The withdrawal was already paid.", "Do not send it again."],
  6001: ["InvalidMint", "The mint is missing, or belongs to a different token program.", SEND_AS_QUOTED],
  6002: ["InvalidTokenProgram", "The token program is neither Token nor Token-2022.", SEND_AS_QUOTED],
  6003: ["Unauthorized", "Only the depository's owner can do this.", "Sign with the owner."],
  6004: ["AllocatorSignerMismatch", "A key other than the allocator's signed the withdrawal.", WITHDRAW_AGAIN],
  6005: ["MessageMismatch", "The signature is for a different withdrawal.", WITHDRAW_AGAIN],
  6006: [
    "MalformedEd25519Data",
    "The instruction before the withdrawal does not verify exactly one signature.",
    WITHDRAW_AGAIN,
  ],
  6007: [
    "MissingSignature",
    "The instruction before the withdrawal does not verify the allocator's signature.",
    WITHDRAW_AGAIN,
  ],
  6008: ["SignatureExpired", "The withdrawal has expired.", "Request a new withdrawal."],
  6009: ["InvalidRecipient", "The recipient differs from the withdrawal's.", "Pass the account of the withdrawal."],
  6010: ["InvalidVaultTokenAccount", "The token account is not the vault's.", SEND_AS_QUOTED],
  6011: [
    "InsufficientVaultBalance",
    "The vault would have less SOL than its rent requires.",
    "Wait until the vault has more SOL.",
  ],
  6012: [
    "InvalidDomainSeparator",
    "The withdrawal is for a different chain or depository.",
    "Use the withdrawal's chain.",
  ],
  6013: ["DomainSeparatorAlreadySet", "The domain was already set.", "Do not send it again."],
  6014: ["InvalidVaultAddress", "The vault differs from the withdrawal's.", "Pass the vault of the withdrawal."],
};

/** Errors of Anchor, the framework of the depository. Its log names the account. */
export const FRAMEWORK_ERRORS: ErrorTable = {
  100: ["InstructionMissing", "The data is too short to identify an instruction.", REQUOTE],
  101: ["InstructionFallbackNotFound", "The program has no such instruction.", REQUOTE],
  102: ["InstructionDidNotDeserialize", "The arguments are incomplete or malformed.", REQUOTE],
  2000: ["ConstraintMut", "The account must be writable.", SEND_AS_QUOTED],
  2001: ["ConstraintHasOne", "An account differs from the one that another account stores.", SEND_AS_QUOTED],
  2002: ["ConstraintSigner", "The account must sign.", "Sign with this account."],
  2003: ["ConstraintRaw", "A condition of the program does not hold.", SEND_AS_QUOTED],
  2004: ["ConstraintOwner", "The account belongs to a different program.", SEND_AS_QUOTED],
  2005: ["ConstraintRentExempt", "The account has less SOL than its rent requires.", FUND],
  2006: ["ConstraintSeeds", "The address does not follow from the program's seeds.", SEND_AS_QUOTED],
  2009: ["ConstraintAssociated", "The token account is not the associated one.", OTHER_ACCOUNT],
  2012: ["ConstraintAddress", "The account has a different address.", SEND_AS_QUOTED],
  2014: ["ConstraintTokenMint", "The token account belongs to a different mint.", OTHER_ACCOUNT],
  2015: ["ConstraintTokenOwner", "The token account has a different owner.", OTHER_ACCOUNT],
  2020: ["ConstraintAccountIsNone", "An optional account is required here.", SEND_AS_QUOTED],
  2023: [
    "ConstraintAssociatedTokenTokenProgram",
    "The token account belongs to a different token program.",
    "Use the token program that owns the mint.",
  ],
  3001: ["AccountDiscriminatorNotFound", "The account has no data of the program.", SEND_AS_QUOTED],
  3002: ["AccountDiscriminatorMismatch", "The account has a different type.", SEND_AS_QUOTED],
  3003: ["AccountDidNotDeserialize", "The account's data is malformed.", SEND_AS_QUOTED],
  3005: ["AccountNotEnoughKeys", "Accounts are missing.", SEND_AS_QUOTED],
  3006: ["AccountNotMutable", "The account must be writable.", SEND_AS_QUOTED],
  3007: ["AccountOwnedByWrongProgram", "The account belongs to a different program.", SEND_AS_QUOTED],
  3008: ["InvalidProgramId", "The account is a different program.", SEND_AS_QUOTED],
  3010: ["AccountNotSigner", "The account must sign.", "Sign with this account."],
  3012: [
    "AccountNotInitialized",
    "The account does not exist.",
    "Create the account first. A depositor needs a token account with the token.",
  ],
};

/** Errors of the depository. */
export const DEPOSITORY_ERRORS: ErrorTable = { ...FRAMEWORK_ERRORS, ...DEPOSITORY_OWN_ERRORS };
