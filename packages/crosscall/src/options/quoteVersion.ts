import { Option } from "commander";

export interface QuoteVersionOptions {
  readonly quoteVersion?: "v2" | "v3";
}

export function quoteVersionOption(): Option {
  return new Option(
    "--quote-version <version>",
    "version of quotes to request (default: v3 with an API key if the service has it, otherwise v2)",
  ).choices(["v2", "v3"]);
}

/** For `createServiceClient`. */
export function toQuoteVersion({ quoteVersion }: QuoteVersionOptions): { readonly quoteVersion?: 2 | 3 } {
  return quoteVersion === undefined ? {} : { quoteVersion: quoteVersion === "v3" ? 3 : 2 };
}
