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
  /** Its v2 name: `data.inTxs[].hash`, `query hash`, `GET /requests/v2`. */
  readonly reads: string;
  readonly code: string;
  /** Code for v3. */
  readonly replacement: string;
  readonly reason: string;
}

export interface Read extends Pick<Finding, "reads" | "replacement" | "reason"> {
  /** Offset in the file. */
  readonly start: number;
  readonly code: string;
  readonly confidence: Confidence;
}

export function confidenceOf({ isCertain }: { readonly isCertain: boolean }): Confidence {
  return isCertain ? "certain" : "likely";
}

/** In the order of the file, one per place. */
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
