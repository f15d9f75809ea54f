import type { FailedTransactionMetadata } from "litesvm";

/** Error of a transaction, as nodes report it in JSON. */
export type TransactionError = string | Readonly<Record<string, unknown>>;

type ReportedError = ReturnType<FailedTransactionMetadata["err"]>;

/** Names of errors without fields, in the order of the simulator's numbers. */
const TRANSACTION_ERRORS: readonly string[] = [
  ...["AccountInUse", "AccountLoadedTwice", "AccountNotFound", "ProgramAccountNotFound", "InsufficientFundsForFee"],
  ...["InvalidAccountForFee", "AlreadyProcessed", "BlockhashNotFound", "CallChainTooDeep", "MissingSignatureForFee"],
  ...["InvalidAccountIndex", "SignatureFailure", "InvalidProgramForExecution", "SanitizeFailure", "ClusterMaintenance"],
  ...["AccountBorrowOutstanding", "WouldExceedMaxBlockCostLimit", "UnsupportedVersion", "InvalidWritableAccount"],
  ...["WouldExceedMaxAccountCostLimit", "WouldExceedAccountDataBlockLimit", "TooManyAccountLocks"],
  ...["AddressLookupTableNotFound", "InvalidAddressLookupTableOwner", "InvalidAddressLookupTableData"],
  ...["InvalidAddressLookupTableIndex", "InvalidRentPayingAccount", "WouldExceedMaxVoteCostLimit"],
  ...["WouldExceedAccountDataTotalLimit", "MaxLoadedAccountsDataSizeExceeded", "ResanitizationNeeded"],
  ...["InvalidLoadedAccountsDataSizeLimit", "UnbalancedTransaction", "ProgramCacheHitMaxLimit", "CommitCancelled"],
];

const INSTRUCTION_ERRORS: readonly string[] = [
  ...["GenericError", "InvalidArgument", "InvalidInstructionData", "InvalidAccountData", "AccountDataTooSmall"],
  ...["InsufficientFunds", "IncorrectProgramId", "MissingRequiredSignature", "AccountAlreadyInitialized"],
  ...["UninitializedAccount", "UnbalancedInstruction", "ModifiedProgramId", "ExternalAccountLamportSpend"],
  ...["ExternalAccountDataModified", "ReadonlyLamportChange", "ReadonlyDataModified", "DuplicateAccountIndex"],
  ...["ExecutableModified", "RentEpochModified", "NotEnoughAccountKeys", "AccountDataSizeChanged"],
  ...["AccountNotExecutable", "AccountBorrowFailed", "AccountBorrowOutstanding", "DuplicateAccountOutOfSync"],
  ...["InvalidError", "ExecutableDataModified", "ExecutableLamportChange", "ExecutableAccountNotRentExempt"],
  ...["UnsupportedProgramId", "CallDepth", "MissingAccount", "ReentrancyNotAllowed", "MaxSeedLengthExceeded"],
  ...["InvalidSeeds", "InvalidRealloc", "ComputationalBudgetExceeded", "PrivilegeEscalation"],
  ...["ProgramEnvironmentSetupFailure", "ProgramFailedToComplete", "ProgramFailedToCompile", "Immutable"],
  ...["IncorrectAuthority", "AccountNotRentExempt", "InvalidAccountOwner", "ArithmeticOverflow"],
  ...["UnsupportedSysvar", "IllegalOwner", "MaxAccountsDataAllocationsExceeded", "MaxAccountsExceeded"],
  ...["MaxInstructionTraceLengthExceeded", "BuiltinProgramsMustConsumeComputeUnits", "BorshIoError"],
];

export function toTransactionError(error: ReportedError): TransactionError {
  if (typeof error === "number") return TRANSACTION_ERRORS[error] ?? "ClusterMaintenance";
  if ("err" in error) {
    const inner = error.err();
    const reason =
      typeof inner === "number"
        ? (INSTRUCTION_ERRORS[inner] ?? "GenericError")
        : "code" in inner
          ? { Custom: inner.code }
          : "BorshIoError";
    return { InstructionError: [error.index, reason] };
  }
  if ("accountIndex" in error) return { InsufficientFundsForRent: { account_index: error.accountIndex } };
  return { DuplicateInstruction: error.index };
}

/** Messages of frequent errors. Nodes have one for each error. */
const MESSAGES: Readonly<Record<string, string>> = {
  AccountNotFound: "Attempt to debit an account but found no record of a prior credit.",
  AlreadyProcessed: "This transaction has already been processed",
  BlockhashNotFound: "Blockhash not found",
  InsufficientFundsForFee: "Insufficient funds for fee",
  SignatureFailure: "Transaction did not pass signature verification",
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
};

/** Describes an error as nodes do. */
export function describeError(error: TransactionError): string {
  if (typeof error === "string") return MESSAGES[error] ?? error;
  const [instruction] = Object.values(error);
  if (!("InstructionError" in error) || !Array.isArray(instruction)) return JSON.stringify(error);
  const [index, reason] = instruction as [number, string | { readonly Custom: number }];
  const text = typeof reason === "string" ? reason : `custom program error: 0x${reason.Custom.toString(16)}`;
  return `Error processing Instruction ${index}: ${text}`;
}
