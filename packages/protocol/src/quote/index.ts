export { type Price, PriceSchema, type Quote, type QuoteFees, QuoteFeesSchema, QuoteSchema } from "./quote.ts";
export { parseProblems, type QuoteProblem } from "./quoteProblem.ts";
export { type Step, type StepId, StepSchema, type TransactionData, type TransferData } from "./step.ts";
