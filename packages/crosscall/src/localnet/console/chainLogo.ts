import { markup, Markup } from "../../replay/report/html/markup.ts";
import { shown } from "../../replay/report/notation.ts";

interface Logo {
  readonly color: string;
  readonly shape: string;
}

const RING = '<path fill-rule="evenodd" d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1m0 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6"/>';

/** Shapes for chains without a logo of their own. The id selects the shape and the color. */
const SHAPES: readonly string[] = [
  '<path d="M8 1 15 8 8 15 1 8z"/>',
  '<path d="m8 1 6 3.5v7L8 15l-6-3.5v-7z"/>',
  '<path d="M8 2 15 14H1z"/>',
  '<rect x="2" y="2" width="12" height="12" rx="4"/>',
  RING,
];

const COLORS: readonly string[] = ["#6d5ce8", "#0e9f8e", "#d9662b", "#c2418f", "#3b7ddd", "#7a8a1f"];

const LOGOS: Readonly<Record<number, Logo>> = {
  1: { color: "#627eea", shape: '<path d="m8 1 4.5 7.2L8 10.8 3.5 8.2zM8 12l4.5-2.7L8 15 3.5 9.3z"/>' },
  10: { color: "#e3263a", shape: RING },
  56: { color: "#c79400", shape: '<path d="m8 1 3 3-3 3-3-3zM4 5l3 3-3 3-3-3zm8 0 3 3-3 3-3-3zM8 9l3 3-3 3-3-3z"/>' },
  137: { color: "#7b3fe4", shape: '<path d="m5 3 4 2.3v4.4L5 12 1 9.7V5.3zm6 1 4 2.3v4.4L11 13l-3-1.7 2-1.2V4.6z"/>' },
  8453: { color: "#2457f5", shape: '<path d="M8 1a7 7 0 1 1-7 8h9V7H1a7 7 0 0 1 7-6"/>' },
  42161: { color: "#2d87c8", shape: '<path d="m8 1 6 3.5v7L8 15l-6-3.5v-7zm0 3-3 7h1.5L8 7.5 9.5 11H11z"/>' },
  8253038: { color: "#e8861a", shape: '<path d="M5 2h4a3 3 0 0 1 2 5.5A3.3 3.3 0 0 1 9 14H5z"/>' },
  792703809: { color: "#8a3ffc", shape: '<path d="M4 3h10l-3 3H1zm-3 4h10l3 3H4zm3 4h10l-3 3H1z"/>' },
};

/** Draws a chain's logo as a simple shape. */
function chainLogo(chainId: number): Markup {
  const { color, shape } = LOGOS[chainId] ?? {
    color: COLORS[chainId % COLORS.length] ?? "",
    shape: SHAPES[chainId % SHAPES.length] ?? "",
  };
  return markup`<svg class="logo" viewBox="0 0 16 16" width="16" height="16" fill="${color}" aria-hidden="true">${new Markup(shape)}</svg>`;
}

/** Renders a chain's logo and name. */
export function chainLabel(chainId: number, name: string): Markup {
  return markup`<span class="chain">${chainLogo(chainId)}${shown(name, 24)}</span>`;
}
