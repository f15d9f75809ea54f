import { script } from "@bomb.sh/tab";
import { writeOutput } from "../../terminal/output.ts";

/**
 * Unlike the library's script, this script never evaluates the typed words, needs no other package, and completes file
 * names.
 */
const BASH = `# bash completion for crosscall
_crosscall_complete() {
  local line tab=$'\\t' at=$COMP_CWORD prefix=
  COMPREPLY=()
  [[ \${COMP_WORDS[at]} == : ]] && prefix=:
  while (( at > 1 )) && [[ \${COMP_WORDS[at]} == : || \${COMP_WORDS[at - 1]} == : ]]; do
    at=$(( at - 1 ))
    prefix=\${COMP_WORDS[at]}$prefix
  done
  while IFS= read -r line; do
    case $line in
      :*) (( \${line#:} & 4 )) && compopt +o default 2> /dev/null ;;
      *)
        line=\${line%%"$tab"*}
        COMPREPLY+=("\${line#"$prefix"}")
        ;;
    esac
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -o default -F _crosscall_complete crosscall
`;

export function printScript(shell: string): void {
  if (shell === "bash") writeOutput(BASH);
  else script(shell, "crosscall", "crosscall");
}
