/** Source names of the project's own files begin so in what the compiler gets. */
const OWN_SOURCES = "project/";

/** A state variable with the keyword `transient`: what stands before it and after it on its line. */
const TRANSIENT_VARIABLE = /^([ \t]+\w+(?:[ \t]+\w+)*?)[ \t]+transient\b([ \t\w]*;)/gm;

const ASSEMBLY_OPENING = /\bassembly\s*(?:\("memory-safe"\)\s*)?\{/g;

// Byte by byte, from the end where the target lies above the source, so that the ranges may overlap as for MCOPY. The
// names are long because they must not be those of variables around the assembly.
const COPY_FUNCTION =
  "function copyBytes(copyTo, copyFrom, copySize) { " +
  "for { let copyIndex := 0 } lt(copyIndex, copySize) { copyIndex := add(copyIndex, 1) } { " +
  "let copyAt := copyIndex if gt(copyTo, copyFrom) { copyAt := sub(sub(copySize, 1), copyIndex) } " +
  "mstore8(add(copyTo, copyAt), byte(0, mload(add(copyFrom, copyAt)))) } }";

/**
 * Writes a source so that it compiles for chains without transient storage and without MCOPY. The project's own
 * transient variables, none of which needs to be zero when a call starts, become variables in storage. The
 * packages' assembly copies memory by a loop: slow, and in no contract that the kit deploys.
 */
export function asLondon(sourceName: string, text: string): string {
  if (sourceName.startsWith(OWN_SOURCES)) return text.replace(TRANSIENT_VARIABLE, "$1$2");
  if (!/\bmcopy\(/.test(text)) return text;
  return text.replace(ASSEMBLY_OPENING, `$& ${COPY_FUNCTION}`).replace(/\bmcopy\(/g, "copyBytes(");
}
