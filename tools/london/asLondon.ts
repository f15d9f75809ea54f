/** Prefix of the project's own source names in compiler input. */
const OWN_SOURCES = "project/";

/** A state variable with the keyword `transient`, with the text before and after it on its line. */
const TRANSIENT_VARIABLE = /^([ \t]+\w+(?:[ \t]+\w+)*?)[ \t]+transient\b([ \t\w]*;)/gm;

const TRANSIENT_OPCODE = /\bt(load|store)\(/g;

/** The open state of the reentrancy guard. */
const OPEN_STATE = /\b(uint256 private constant _OPEN = )0;/;

const ASSEMBLY_OPENING = /\bassembly\s*(?:\("memory-safe"\)\s*)?\{/g;

// Function that copies byte by byte, backwards if the target is above the source, so that ranges can overlap as with
// MCOPY. Names must differ from variables around the assembly.
const COPY_FUNCTION =
  "function copyBytes(copyTo, copyFrom, copySize) { " +
  "for { let copyIndex := 0 } lt(copyIndex, copySize) { copyIndex := add(copyIndex, 1) } { " +
  "let copyAt := copyIndex if gt(copyTo, copyFrom) { copyAt := sub(sub(copySize, 1), copyIndex) } " +
  "mstore8(add(copyTo, copyAt), byte(0, mload(add(copyFrom, copyAt)))) } }";

/**
 * Rewrites a source for chains without transient storage and MCOPY. Transient storage becomes storage: no contract
 * needs it to be zero when a call starts. The guard's open state is 1, because writing a nonzero slot is cheaper.
 * Assembly in packages copies memory in a loop, which is slow, but no deployed contract contains it.
 */
export function asLondon(sourceName: string, text: string): string {
  if (sourceName.startsWith(OWN_SOURCES)) {
    return text
      .replace(TRANSIENT_VARIABLE, "$1$2")
      .replace(TRANSIENT_OPCODE, "s$1(")
      .replace(OPEN_STATE, (_, declaration: string) => `${declaration}1;`);
  }
  if (!/\bmcopy\(/.test(text)) return text;
  return text.replace(ASSEMBLY_OPENING, `$& ${COPY_FUNCTION}`).replace(/\bmcopy\(/g, "copyBytes(");
}
