import colors from "picocolors";

/** picocolors looks at standard output only, and colors redirected output in CI. */
function colorsOf(stream: NodeJS.WriteStream): ReturnType<typeof colors.createColors> {
  const isWanted = stream.isTTY || process.env.FORCE_COLOR !== undefined;
  return colors.createColors(isWanted && colors.isColorSupported);
}

/** For text on standard output. */
export const outputColors = colorsOf(process.stdout);

/** For text on standard error. */
export const errorColors = colorsOf(process.stderr);
