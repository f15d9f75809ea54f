#!/bin/sh
# Loads secrets from /vault/secrets if that path exists (spec 3, section 2), then starts the oracle in its place.
#
# A file named like a variable (capitals, digits, underscores) sets that variable; any other file contains lines
# NAME=value (also `export NAME=value`, quoted or not). Nothing in them is executed or printed. To use another path, set
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
