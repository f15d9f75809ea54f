export { isUnlimited } from "./calls/check/operation.ts";
export type { CheckedContracts, CheckedPlan } from "./calls/check/parameters.ts";
export { MULTICALL3, type Severity } from "./calls/check/rule.ts";
export { signatureOf } from "./calls/decode/decodeCalls.ts";
export type { DecodedArgument } from "./calls/decode/decodedCall.ts";
export {
  type CallLine,
  describeCalls,
  formatValue,
  type TokenNotation,
  type ValueNotation,
} from "./calls/decode/formatCalls.ts";
export {
  findKnownFunction,
  type ReadFunction,
  readFunction,
  readKnownFunction,
} from "./calls/decode/knownFunctions.ts";
export { kitExecutor, kitProxies } from "./calls/decode/protocols/routerAndKit.ts";
export { readAccount, readAmount, readToken } from "./calls/decode/readArgument.ts";
export type { PlannedRecipe } from "./calls/planRecipe.ts";
export { isPlaceholder } from "./calls/program/placeholder.ts";
export type { AnyRecipe, ArgumentsOf } from "./calls/recipes/recipe.ts";
export { isMissingEndpoint } from "./client/callService.ts";
export type { TopLevelRequestQuery } from "./client/requestQuery.ts";
export { parseRetryAfter } from "./client/transport/exchange.ts";
export { createRedactor } from "./client/transport/redact.ts";
export type { SignatureVerificationV2 } from "./client/verifySignature.ts";
export { isPassing } from "./client/watchRequest/statusSource.ts";
export type { ExecutionParameters, Preflight, QuoteFreshness } from "./execute/executeStepsParameters.ts";
export { openRun } from "./execute/execution.ts";
export { isTemporary, retryAfterMs } from "./execute/node.ts";
export { prepareExecution } from "./execute/prepareExecution.ts";
export { readSvmData } from "./execute/svm/svmData.ts";
export {
  compileSvmMessage,
  encodeSvmTransaction,
  type LookupTable,
  NO_SIGNATURE,
  readSvmTransaction,
  type SvmInstruction,
} from "./execute/svm/svmMessage.ts";
export { openSvmNode, type SvmNode } from "./execute/svm/svmNode.ts";
export type { ViemWallet } from "./execute/wallets.ts";
export {
  formatEffect,
  formatQuoteReport,
  quoteReportToSarif,
  type ReportNotation,
} from "./verify/formatQuoteReport.ts";
export { type EffectPart, QUOTE_CLAIMS, type QuoteClaim, type QuoteClaimCode } from "./verify/quoteReport.ts";
export {
  type AccountCodes,
  type AccountSubject,
  findAccountProblems,
  isContract,
  readCodes,
} from "./verify/receiverAccounts.ts";
export { mostInput, type QuoteLimits, readTerms } from "./verify/terms.ts";
export { isTrusted, spendersOf } from "./verify/trust.ts";
export type { TrustedChain } from "./verify/trustedChains.ts";
