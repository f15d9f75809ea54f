import type { Envelope, EnvelopePoint } from "../../envelope/envelope.ts";
import type { FillPlan } from "../../fillPlan.ts";
import type { Notation } from "../notation.ts";
import { outcomeOf } from "../tables.ts";
import { type Markup, markup } from "./markup.ts";

const WIDTH = 860;
const HEIGHT = 300;
const LEFT = 150;
const RIGHT = 30;
const TOP = 20;
const BOTTOM = 56;

interface Plot {
  readonly id: string;
  readonly title: string;
  /** Value of a point; undefined if the point has none. */
  readonly valueOf: (point: EnvelopePoint) => bigint | undefined;
  readonly labelOf: (value: bigint) => string;
}

/**
 * Plots outputs and gas by delivered amount. Filled circles are amounts that work, crosses are amounts that fail, and
 * failing ranges are hatched and labeled.
 */
export function envelopePlots(envelope: Envelope, plan: FillPlan, notation: Notation): Markup[] {
  const plots: Plot[] = [
    ...envelope.outputs.map((output, index) => ({
      id: `output-${index}`,
      title: `Received ${notation.symbolOf(output)}`,
      valueOf: ({ received }: EnvelopePoint) => received[index],
      labelOf: (value: bigint) => notation.numberOf(value, output),
    })),
    { id: "gas", title: "Gas used", valueOf: ({ gasUsed }) => gasUsed, labelOf: String },
  ];
  return plots.map((plot) => drawPlot(plot, envelope, plan, notation));
}

function drawPlot(
  { id, title, valueOf, labelOf }: Plot,
  envelope: Envelope,
  plan: FillPlan,
  notation: Notation,
): Markup {
  const { points, ranges } = envelope;
  const across = axisOf([...points.map(({ amount }) => amount), ...ranges.flatMap(({ from, to }) => [from, to])], {
    start: LEFT,
    end: WIDTH - RIGHT,
  });
  const up = axisOf(
    points.flatMap((point) => valueOf(point) ?? []),
    { start: HEIGHT - BOTTOM, end: TOP },
  );
  const subject = `${title} against delivered ${notation.symbolOf(plan.currency)}`;
  const amountLabel = (amount: bigint): string => notation.numberOf(amount, plan.currency);
  return markup`<div class="scroll" tabindex="0"><svg role="img" aria-labelledby="${id}-title ${id}-desc" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<title id="${id}-title">${subject}</title>
<desc id="${id}-desc">${points.length} amounts; ${ranges.map((range) => `${amountLabel(range.from)} to ${amountLabel(range.to)} ${outcomeOf(range)}; `)}the table of amounts has every number.</desc>
<defs><pattern id="${id}-hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="8" stroke="currentColor" stroke-width="1.5" opacity="0.45"/></pattern></defs>
<text x="4" y="14">${title}</text>
${ranges.flatMap((range, index) => (range.success ? [] : [failingRange(range, `${id}-hatch`, index, across)]))}
<path d="M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}" fill="none" stroke="currentColor"/>
${ticksOf(across, 5).map(({ value, position }) => tick(position, HEIGHT - BOTTOM, "below", amountLabel(value)))}
${ticksOf(up, 4).map(({ value, position }) => tick(LEFT, position, "left", labelOf(value)))}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">delivered ${notation.symbolOf(plan.currency)}${across.isLogarithmic ? " (logarithmic)" : ""}</text>
${workingLine(points, valueOf, across, up)}
${points.map((point) => drawPoint(point, valueOf(point), across, up, `${amountLabel(point.amount)} ${outcomeOf(point)}, ${labelOfPoint(point, valueOf, labelOf)}`))}
</svg></div>
<p class="quiet">● works &#160; ✗ fails &#160; hatched: amounts that fail</p>
`;
}

function workingLine(points: readonly EnvelopePoint[], valueOf: Plot["valueOf"], across: Axis, up: Axis): Markup {
  const steps = points.flatMap((point, index) => {
    const value = valueOf(point);
    if (!point.success || value === undefined) return [];
    const move = index > 0 && points[index - 1]?.success === true ? "L" : "M";
    return [`${move}${across.positionOf(point.amount)} ${up.positionOf(value)}`];
  });
  return markup`<path d="${steps.join("")}" fill="none" stroke="currentColor" opacity="0.6"/>`;
}

function labelOfPoint(point: EnvelopePoint, valueOf: Plot["valueOf"], labelOf: Plot["labelOf"]): string {
  const value = valueOf(point);
  return value === undefined ? "nothing" : labelOf(value);
}

function failingRange(range: Envelope["ranges"][number], hatch: string, index: number, across: Axis): Markup {
  const from = across.positionOf(range.from);
  const width = Math.max(across.positionOf(range.to) - from, 2);
  const words = outcomeOf(range);
  // Staggered labels.
  const y = TOP + 14 + (index % 6) * 16;
  return markup`<g><title>${words}</title><rect x="${from}" y="${TOP}" width="${width}" height="${HEIGHT - BOTTOM - TOP}" fill="url(#${hatch})" stroke="currentColor" stroke-dasharray="3 3"/>
<text x="${Math.min(from + 4, WIDTH - RIGHT - words.length * 7.3)}" y="${y}" paint-order="stroke" stroke="var(--paper)" stroke-width="4">${words}</text></g>
`;
}

function tick(x: number, y: number, side: "below" | "left", label: string): Markup {
  return side === "below"
    ? markup`<path d="M${x} ${y}v5" stroke="currentColor"/><text x="${x}" y="${y + 19}" text-anchor="middle" class="quiet">${label}</text>\n`
    : markup`<path d="M${x} ${y}h-5" stroke="currentColor"/><text x="${x - 8}" y="${y + 4}" text-anchor="end" class="quiet">${label}</text>\n`;
}

function drawPoint(point: EnvelopePoint, value: bigint | undefined, across: Axis, up: Axis, words: string): Markup {
  const x = across.positionOf(point.amount);
  // A failure has no output.
  const y = value === undefined ? HEIGHT - BOTTOM : up.positionOf(value);
  const shape = point.success
    ? markup`<circle cx="${x}" cy="${y}" r="3.5" fill="currentColor"/>`
    : markup`<path d="M${x - 4} ${y - 4}l8 8m0-8l-8 8" stroke="currentColor" stroke-width="2"/>`;
  return markup`<g><title>${words}</title>${shape}</g>\n`;
}

/** Minimum ratio between the largest and the smallest value for a logarithmic axis. */
const LOGARITHMIC_FROM = 1_000n;

interface Axis {
  readonly minimum: bigint;
  readonly maximum: bigint;
  readonly isLogarithmic: boolean;
  /** Formats a length in pixels with one decimal. */
  readonly positionOf: (value: bigint) => number;
}

function axisOf(values: readonly bigint[], { start, end }: { readonly start: number; readonly end: number }): Axis {
  let minimum = values[0] ?? 0n;
  let maximum = minimum;
  for (const value of values) {
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  const isLogarithmic = minimum > 0n && maximum / minimum >= LOGARITHMIC_FROM;
  const low = isLogarithmic ? Math.log(Number(minimum)) : 0;
  const range = isLogarithmic ? Math.log(Number(maximum)) - low : Number(maximum - minimum);
  return {
    minimum,
    maximum,
    isLogarithmic,
    positionOf: (value) => {
      const along = isLogarithmic ? Math.log(Number(value)) - low : Number(value - minimum);
      // All values are equal.
      const share = range === 0 ? 0.5 : along / range;
      return Math.round((start + share * (end - start)) * 10) / 10;
    },
  };
}

function ticksOf(axis: Axis, count: number): { readonly value: bigint; readonly position: number }[] {
  const { minimum, maximum, isLogarithmic, positionOf } = axis;
  const values = Array.from({ length: count }, (_, index) => {
    if (index === 0) return minimum;
    if (index === count - 1) return maximum;
    if (!isLogarithmic) return minimum + ((maximum - minimum) * BigInt(index)) / BigInt(count - 1);
    const share = Math.pow(Number(maximum) / Number(minimum), index / (count - 1));
    return toTwoDigits(BigInt(Math.round(Number(minimum) * share)));
  });
  return [...new Set(values)].map((value) => ({ value, position: positionOf(value) }));
}

function toTwoDigits(value: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(String(value).length - 2, 0));
  return (value / unit) * unit;
}
