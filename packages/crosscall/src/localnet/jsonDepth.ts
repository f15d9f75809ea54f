/** Maximum depth of a value. Much deeper values would overflow the stack. */
export const MAX_DEPTH = 128;

/** Returns whether arrays and objects in JSON text are nested deeper than `maxDepth`. */
export function isTooDeep(json: string, maxDepth: number = MAX_DEPTH): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at);
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === "\\") at += 1;
    else if (json[at] === '"') return at;
  }
  return json.length;
}
