export type { QuoteReport } from "./verify/quoteReport.ts";
export { routerOn, serviceTrust, type ServiceTrust } from "./verify/trust.ts";
export { verifyQuote } from "./verify/verifyQuote.ts";
