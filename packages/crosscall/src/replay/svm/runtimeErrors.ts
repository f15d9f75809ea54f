import type { KnownError } from "./programErrors.ts";

/** Meaning of an error without a number, and how to fix it. */
type NamedError = readonly [meaning: string, hint: string];

const SEND_AGAIN = "Send the transaction again with a new block hash.";
const RETRY_LATER = "Send the transaction again later, or with a higher priority fee.";
const CHECK_ACCOUNTS = "Check the accounts of the instruction.";
const CHECK_DATA = "Check the data of the instruction.";
const CHECK_TABLES = "Check the transaction's lookup tables.";
const SMALLER = "Use fewer instructions or accounts.";
const FUND_RENT = "Send enough for a new account's rent, or use an existing account.";
const PROGRAM = "Read the logs of the failed instruction, and report the error to the program's authors.";
const SIGN = "Sign with this account.";

/** Errors of an instruction, by the name in the node's response. */
const INSTRUCTION_ERRORS: Readonly<Record<string, NamedError>> = {
  GenericError: ["The program failed without a reason.", PROGRAM],
  InvalidArgument: ["An argument is invalid.", CHECK_DATA],
  InvalidInstructionData: ["The data of the instruction is invalid.", CHECK_DATA],
  InvalidAccountData: ["The data of an account is invalid, or the account does not exist.", CHECK_ACCOUNTS],
  AccountDataTooSmall: ["An account is too small.", CHECK_ACCOUNTS],
  InsufficientFunds: ["An account's balance is too low.", "Fund the account, or use a smaller amount."],
  IncorrectProgramId: ["An account belongs to a different program.", CHECK_ACCOUNTS],
  MissingRequiredSignature: ["A required signature is missing.", SIGN],
  AccountAlreadyInitialized: ["The account is already initialized.", "Use the existing account."],
  UninitializedAccount: ["The account is not initialized.", "Create the account first."],
  UnbalancedInstruction: ["The program changed the sum of the balances.", PROGRAM],
  ModifiedProgramId: ["The program changed the owner of an account without permission.", PROGRAM],
  ExternalAccountLamportSpend: ["The program spent SOL of an account that it does not own.", PROGRAM],
  ExternalAccountDataModified: ["The program changed an account that it does not own.", PROGRAM],
  ReadonlyLamportChange: ["The balance of a read-only account changed.", "Pass the account as writable."],
  ReadonlyDataModified: ["The data of a read-only account changed.", "Pass the account as writable."],
  DuplicateAccountIndex: ["An account is passed twice.", CHECK_ACCOUNTS],
  ExecutableModified: ["A program was changed.", PROGRAM],
  RentEpochModified: ["The rent epoch of an account changed.", PROGRAM],
  NotEnoughAccountKeys: ["Accounts are missing.", CHECK_ACCOUNTS],
  AccountDataSizeChanged: ["The size of another program's account changed.", PROGRAM],
  AccountNotExecutable: ["The account is not a program.", CHECK_ACCOUNTS],
  AccountBorrowFailed: ["The program uses an account twice at the same time.", PROGRAM],
  AccountBorrowOutstanding: ["The program ended without releasing an account.", PROGRAM],
  DuplicateAccountOutOfSync: ["An account that is passed twice has two states.", PROGRAM],
  InvalidError: ["The program returned an invalid error.", PROGRAM],
  ExecutableDataModified: ["The data of a program was changed.", PROGRAM],
  ExecutableLamportChange: ["The balance of a program was changed.", PROGRAM],
  ExecutableAccountNotRentExempt: ["A program's account has less SOL than its rent requires.", FUND_RENT],
  UnsupportedProgramId: [
    "The chain does not have this program.",
    "Check the program id, and that this chain has the program.",
  ],
  CallDepth: ["Programs call each other too deeply.", "Call the program directly."],
  MissingAccount: ["An account that a program uses is missing.", CHECK_ACCOUNTS],
  ReentrancyNotAllowed: ["A program called itself through another one.", PROGRAM],
  MaxSeedLengthExceeded: ["The seed of an address is too long.", "Use a seed of at most 32 bytes."],
  InvalidSeeds: ["The address does not follow from the program's seeds.", CHECK_ACCOUNTS],
  InvalidRealloc: ["An account cannot get this size.", PROGRAM],
  ComputationalBudgetExceeded: [
    "The compute units of the transaction are used up.",
    "Set a higher limit with setComputeUnitLimit, at most 1,400,000 units.",
  ],
  PrivilegeEscalation: [
    "A program passed an account as a signer or as writable, but it is neither.",
    "Pass the account as writable, or sign with it.",
  ],
  ProgramEnvironmentSetupFailure: ["The program could not be started.", PROGRAM],
  ProgramFailedToComplete: [
    "The program stopped early: it used up its compute units or memory, or panicked.",
    "Read the last lines of its logs. For compute units, set a higher limit with setComputeUnitLimit.",
  ],
  ProgramFailedToCompile: ["The program could not be compiled.", PROGRAM],
  Immutable: ["The account cannot be changed.", CHECK_ACCOUNTS],
  IncorrectAuthority: ["Another account has the authority.", SIGN],
  AccountNotRentExempt: ["An account has less SOL than its rent requires.", FUND_RENT],
  InvalidAccountOwner: ["An account belongs to a different program.", CHECK_ACCOUNTS],
  ArithmeticOverflow: ["A calculation overflows.", "Check the amounts of the instruction."],
  UnsupportedSysvar: ["The chain does not have this sysvar.", CHECK_ACCOUNTS],
  IllegalOwner: ["The owner of an account is not allowed.", CHECK_ACCOUNTS],
  MaxAccountsDataAllocationsExceeded: ["The transaction creates too much data.", SMALLER],
  MaxAccountsExceeded: ["The transaction uses too many accounts.", SMALLER],
  MaxInstructionTraceLengthExceeded: ["The transaction makes too many calls.", SMALLER],
  BuiltinProgramsMustConsumeComputeUnits: ["A built-in program used no compute units.", PROGRAM],
  BorshIoError: ["Data could not be read or written.", CHECK_DATA],
};

/** Errors of a whole transaction. Most nodes do not include such a transaction in a block. */
const TRANSACTION_ERRORS: Readonly<Record<string, NamedError>> = {
  AccountInUse: ["Another transaction uses an account at this time.", RETRY_LATER],
  AccountLoadedTwice: ["The transaction lists an account twice.", CHECK_ACCOUNTS],
  AccountNotFound: ["The fee payer has no SOL.", "Fund the fee payer."],
  ProgramAccountNotFound: ["A called program does not exist on this chain.", "Check the program ids."],
  InsufficientFundsForFee: ["The fee payer does not have enough SOL for the fee.", "Fund the fee payer."],
  InvalidAccountForFee: ["The fee payer is not a wallet.", "Pay the fee from an account of the System program."],
  AlreadyProcessed: ["The chain already has this transaction.", "Do not send it again."],
  BlockhashNotFound: ["The block hash is unknown or older than 150 slots.", SEND_AGAIN],
  CallChainTooDeep: ["Programs call each other too deeply.", "Call the program directly."],
  MissingSignatureForFee: ["The fee payer did not sign.", "Sign with the fee payer."],
  InvalidAccountIndex: ["The transaction refers to an account that it does not list.", CHECK_DATA],
  SignatureFailure: ["A signature is invalid.", "Sign the transaction again, after its last change."],
  InvalidProgramForExecution: ["A called account is not a program.", "Check the program ids."],
  SanitizeFailure: ["The transaction is malformed.", CHECK_DATA],
  ClusterMaintenance: ["The chain does not accept transactions.", RETRY_LATER],
  AccountBorrowOutstanding: ["A program ended without releasing an account.", PROGRAM],
  WouldExceedMaxBlockCostLimit: ["The block is full.", RETRY_LATER],
  UnsupportedVersion: ["The chain does not support the transaction's version.", "Use a transaction of version 0."],
  InvalidWritableAccount: ["An account that cannot be written is passed as writable.", CHECK_ACCOUNTS],
  WouldExceedMaxAccountCostLimit: ["Too many transactions of the block use an account.", RETRY_LATER],
  WouldExceedAccountDataBlockLimit: ["The block's transactions create too much data.", RETRY_LATER],
  TooManyAccountLocks: ["The transaction uses too many accounts.", SMALLER],
  AddressLookupTableNotFound: ["A lookup table does not exist.", CHECK_TABLES],
  InvalidAddressLookupTableOwner: ["A lookup table belongs to a different program.", CHECK_TABLES],
  InvalidAddressLookupTableData: ["A lookup table is malformed.", CHECK_TABLES],
  InvalidAddressLookupTableIndex: ["A lookup table does not have this index.", CHECK_TABLES],
  InvalidRentPayingAccount: ["An account would have less SOL than its rent requires.", FUND_RENT],
  WouldExceedMaxVoteCostLimit: ["The block has too many votes.", RETRY_LATER],
  WouldExceedAccountDataTotalLimit: ["The chain cannot hold more data.", RETRY_LATER],
  DuplicateInstruction: ["The transaction has a compute budget instruction twice.", "Remove one of them."],
  InsufficientFundsForRent: ["An account would have less SOL than its rent requires.", FUND_RENT],
  MaxLoadedAccountsDataSizeExceeded: [
    "The accounts of the transaction have too much data.",
    "Set a higher limit with setLoadedAccountsDataSizeLimit.",
  ],
  ResanitizationNeeded: ["The transaction must be checked again.", SEND_AGAIN],
  InvalidLoadedAccountsDataSizeLimit: ["The limit of loaded data is zero.", "Set a higher limit, or none."],
  UnbalancedTransaction: ["The transaction changes the sum of the balances.", PROGRAM],
  ProgramExecutionTemporarilyRestricted: ["A program is restricted at this time.", RETRY_LATER],
  ProgramCacheHitMaxLimit: ["The node could not load all programs.", RETRY_LATER],
  CommitCancelled: ["The node did not store the transaction.", SEND_AGAIN],
};

export function findInstructionError(name: string): KnownError | undefined {
  return withName(INSTRUCTION_ERRORS, name);
}

export function findTransactionError(name: string): KnownError | undefined {
  return withName(TRANSACTION_ERRORS, name);
}

/** Names come from nodes, so they can also be those of an object's own methods. */
function withName(table: Readonly<Record<string, NamedError>>, name: string): KnownError | undefined {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  return found === undefined ? undefined : [name, ...found];
}
