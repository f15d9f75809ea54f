#!/bin/sh
# Loads secrets from /vault/secrets where that path exists (spec 3, section 2), then becomes the oracle.
#
# A file whose own name is that of a variable (capitals, digits, underscores) sets it; any other file is read as lines
# NAME=value (also `export NAME=value`, quoted or not). Nothing of them is run or printed. The path can be given as
# SECRETS_FOLDER.
set -eu

folder="${SECRETS_FOLDER:-/vault/secrets}"

set_line() {
  name="${1%%=*}"
  value="${1#*=}"
  case "$value" in
    \"*\") value="${value#\"}"; value="${value%\"}" ;;
    \'*\') value="${value#\'}"; value="${value%\'}" ;;
  esac
  export "$name=$value"
}

is_name() {
  case "$1" in
    '' | [0-9]* | *[!A-Z0-9_]*) return 1 ;;
  esac
}

if [ -d "$folder" ]; then
  for file in "$folder"/*; do
    [ -f "$file" ] || continue
    name="$(basename "$file")"
    if is_name "$name"; then
      export "$name=$(cat "$file")"
      continue
    fi
    while IFS= read -r line || [ -n "$line" ]; do
      assignment="${line#export }"
      case "$assignment" in
        *=*) if is_name "${assignment%%=*}"; then set_line "$assignment"; fi ;;
      esac
    done < "$file"
  done
fi

exec "$@"
