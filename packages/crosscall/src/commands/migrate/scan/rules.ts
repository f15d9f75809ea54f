import { PARTNER_ID_KEY } from "@crosscall/protocol/v2";

/** `certain` if the value comes from a v2 request of the same file, `likely` if only names match. */
export type Confidence = "certain" | "likely";

export interface Finding {
  /** Relative, with slashes. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly confidence: Confidence;
  /** The v2 name, such as `data.inTxs[].hash`, `query hash` or `GET /requests/v2`. */
  readonly reads: string;
  readonly code: string;
  /** Code for v3. */
  readonly replacement: string;
  readonly reason: string;
}

export interface Read extends Pick<Finding, "reads" | "replacement" | "reason"> {
  /** Character offset in the file. */
  readonly start: number;
  readonly code: string;
  readonly confidence: Confidence;
}

export function confidenceOf({ isCertain }: { readonly isCertain: boolean }): Confidence {
  return isCertain ? "certain" : "likely";
}

/** Sorts findings by their offset in the file, and keeps one per offset. */
export function toFindings(name: string, text: string, reads: readonly Read[]): Finding[] {
  const places = new Map(reads.map((read) => [`${read.start} ${read.reads}`, read]));
  return [...places.values()]
    .toSorted((left, right) => left.start - right.start)
    .map(({ start, code, ...rest }) => {
      const before = text.slice(0, start).split(/\r\n|[\n\r\u2028\u2029]/u);
      return {
        file: name,
        line: before.length,
        column: (before.at(-1)?.length ?? 0) + 1,
        code: code.replaceAll(/\s+/gu, " "),
        ...rest,
      };
    });
}

export const FIRST_LISTING_ENDED =
  "the first version of the listing is deprecated; v3 requires the header x-api-key on every request";
export const SECOND_LISTING_ENDED =
  "the v2 listing ended on 24 November 2026; v3 requires the header x-api-key on every request";

/** Replacement for a v2 path. */
export interface ReadRule {
  /** Path in a v2 record; `[]` is an entry of an array: `data.inTxs[].hash`. */
  readonly from: string;
  /** Path in a v3 record. */
  readonly to: string;
  readonly reason: string;
  /** Wraps the v3 value in an expression that converts it, if the value differs from v2. */
  readonly wrap?: (value: string) => string;
  /** Whether parts of the v3 path may be missing. */
  readonly isOptional?: boolean;
  /** Names that show that the code already handles v3. */
  readonly unless?: readonly string[];
}

const NO_WEI_FEES = "v3 has fees by component instead of gas, fixed, price and gateway; this is the nearest component";
const IMPACT = "expandedPriceImpact is called fees in v3, and its component relay is called platform";
const ROUTE = "the amounts of metadata are in data.route in v3";
const CURRENCY = "v3 has one currency object for each group of amounts";
const ORACLE_PRICE = "v3 has the oracle price at data.quoteOraclePrice, with amount objects";
const SPONSORSHIP = "v3 has the sponsor in data.feeSponsorship";

const wei = [
  ["gas", "execution"],
  ["fixed", "execution"],
  ["price", "platform"],
  ["gateway", "platform"],
] as const;

const components = ["swap", "execution", "relay", "app", "sponsored"];

function toComponent(name: string): string {
  return name === "relay" ? "platform" : name;
}

/** All paths of a v2 record that v3 moves or removes. */
export const READ_RULES: readonly ReadRule[] = [
  ...wei.map(([from, to]) => ({
    from: `data.fees.${from}`,
    to: `data.fees.quoted.${to}.amount`,
    reason: NO_WEI_FEES,
  })),
  ...wei.map(([from, to]) => ({
    from: `data.feesUsd.${from}`,
    to: `data.fees.quoted.${to}.usd`,
    reason: NO_WEI_FEES,
  })),
  { from: "data.feesUsd", to: "data.fees.quoted", reason: NO_WEI_FEES },
  ...["quoted", "actual"].flatMap((phase) => [
    ...components.map((name) => ({
      from: `data.expandedPriceImpact.${phase}.${name}`,
      to: `data.fees.${phase}.${toComponent(name)}`,
      reason: IMPACT,
    })),
    { from: `data.expandedPriceImpact.${phase}`, to: `data.fees.${phase}`, reason: IMPACT },
    {
      from: `data.feeSponsorship.${phase}.components.relay`,
      to: `data.feeSponsorship.${phase}.components.platform`,
      reason: "the component relay is called platform in v3",
    },
  ]),
  // Without a phase, the path has no value in v2 either. It is assumed to mean the quoted fees.
  ...components.map((name) => ({
    from: `data.expandedPriceImpact.${name}`,
    to: `data.fees.quoted.${toComponent(name)}`,
    reason: IMPACT,
  })),
  { from: "data.expandedPriceImpact", to: "data.fees", reason: IMPACT },
  { from: "data.metadata.sender", to: "sender", reason: "the sender is at the root in v3" },
  { from: "data.metadata.recipient", to: "recipient", reason: "the recipient is at the root in v3" },
  { from: "data.metadata.currencyIn", to: "data.route.actual.origin.inputCurrency", reason: ROUTE },
  {
    from: "data.metadata.currencyOut",
    to: "data.route.actual.destination.outputCurrency",
    reason: `${ROUTE}; a same-chain swap has it at data.route.actual.origin.outputCurrency`,
  },
  { from: "data.metadata.rate", to: "data.route.actual.rate", reason: ROUTE },
  { from: "data.metadata.route", to: "data.route.quoted", reason: ROUTE },
  { from: "data.metadata.quoteOraclePrice", to: "data.quoteOraclePrice", reason: ORACLE_PRICE },
  {
    from: "data.metadata.quoteOraclePrice.inputAmount",
    to: "data.quoteOraclePrice.inputCurrency.amount",
    reason: ORACLE_PRICE,
  },
  {
    from: "data.metadata.quoteOraclePrice.outputAmount",
    to: "data.quoteOraclePrice.outputCurrency.amount",
    reason: ORACLE_PRICE,
  },
  {
    from: "data.metadata.quoteOraclePrice.from",
    to: "data.quoteOraclePrice.inputCurrency.currency",
    reason: ORACLE_PRICE,
  },
  {
    from: "data.metadata.quoteOraclePrice.to",
    to: "data.quoteOraclePrice.outputCurrency.currency",
    reason: ORACLE_PRICE,
  },
  {
    from: "data.metadata.currencyGasTopup",
    to: "features",
    wrap: (value) => `${value}.includes("gas_top_up")`,
    reason: "v3 reports only whether the request had a gas top-up",
  },
  { from: "data.currency", to: "data.route.actual.origin.inputCurrency.currency.symbol", reason: CURRENCY },
  { from: "data.currencyObject", to: "data.route.actual.origin.inputCurrency.currency", reason: CURRENCY },
  { from: "data.feeCurrency", to: "data.fees.currency.symbol", reason: CURRENCY },
  { from: "data.feeCurrencyObject", to: "data.fees.currency", reason: CURRENCY },
  { from: "data.appFeeCurrencyObject", to: "data.appFees.currency", reason: CURRENCY },
  {
    from: "data.appFees",
    to: "data.appFees.quoted",
    unless: ["quoted", "actual", "currency"],
    reason: "appFees contains the quoted and the actual fees in v3",
  },
  { from: "data.paidAppFees", to: "data.appFees.actual", reason: "paid app fees are the actual fees in v3" },
  {
    from: "data.subsidizedRequest",
    to: "data.feeSponsorship.actual.sponsoredTotal.amountUsd",
    isOptional: true,
    wrap: (value) => `Number(${value} ?? 0) !== 0`,
    reason: "a request is sponsored if sponsoredTotal.amountUsd is not zero",
  },
  { from: "data.subsidizedFee.sponsor", to: "data.feeSponsorship.actual.sponsorPayment", reason: SPONSORSHIP },
  { from: "data.subsidizedFee.origin", to: "data.feeSponsorship.actual.sponsoredTotal", reason: SPONSORSHIP },
  {
    from: "data.subsidizedFee.amountUsd",
    to: "data.feeSponsorship.actual.sponsoredTotal.amountUsd",
    reason: SPONSORSHIP,
  },
  {
    from: "data.subsidizedFee.amountUsdCurrent",
    to: "data.feeSponsorship.actual.sponsoredTotal.amountUsdCurrent",
    reason: SPONSORSHIP,
  },
  { from: "data.subsidizedFee", to: "data.feeSponsorship.actual", reason: SPONSORSHIP },
  { from: "data.inTxs.[].hash", to: "data.inTxs.[].txHash", reason: "hash is called txHash in v3" },
  { from: "data.outTxs.[].hash", to: "data.outTxs.[].txHash", reason: "hash is called txHash in v3" },
  {
    from: "data.price",
    to: "data.route.actual.destination.inputCurrency.amount",
    reason: "the quoted output is an amount in the route in v3",
  },
  { from: "data.supersededByRequestId", to: "supersededByRequestId", reason: "it is at the root in v3" },
  {
    from: "referrer",
    to: "data.referrer",
    reason: "v3 returns it in data, and only with includeAuthenticatedData=true",
  },
  {
    from: PARTNER_ID_KEY,
    to: `data.externalMetadata.${PARTNER_ID_KEY}`,
    reason: "ids of partners are in data.externalMetadata in v3",
  },
  {
    from: "depositAddress.depositAddressType",
    to: "depositAddress.type",
    reason: "depositAddressType is called type in v3",
  },
];

const byPath = new Map(READ_RULES.map((rule) => [rule.from, rule]));

export function findRule(path: readonly string[]): ReadRule | undefined {
  return byPath.get(path.join("."));
}

export interface QueryRule {
  readonly name: string;
  readonly reason: string;
}

/** Query parameters of v2 that v3 does not support. */
export const QUERY_RULES: ReadonlyMap<string, QueryRule> = new Map<string, QueryRule>([
  [
    "hash",
    {
      name: "term",
      reason: "v3 searches all hashes with term, and one kind with depositTxHash, fillTxHash or refundTxHash",
    },
  ],
  [
    "referrer",
    {
      name: "referrer",
      reason: "v3 accepts referrer only together with apiKey, and only for your own keys",
    },
  ],
]);
