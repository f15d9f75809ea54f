#!/usr/bin/env bash
# Pays 0.01 ETH on Arbitrum and receives USDC on Base. Needs curl and jq.
#
# Start the network first: crosscall up --like-mainnet --chains base,arbitrum --block-time 0
set -euo pipefail

api_url=${CROSSCALL_API_URL:-http://127.0.0.1:3000}
api_key=${CROSSCALL_API_KEY:-crosscall-local}
user=0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
eth=0x0000000000000000000000000000000000000000
usdc=0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913

api() { curl -sS --fail-with-body "$api_url$1" -H "x-api-key: $api_key" "${@:2}"; }

chains=$(api /chains)
quote=$(jq -n --arg user "$user" --arg eth "$eth" --arg usdc "$usdc" '{
  user: $user,
  originChainId: 42161,
  originCurrency: $eth,
  destinationChainId: 8453,
  destinationCurrency: $usdc,
  tradeType: "EXACT_INPUT",
  amount: "10000000000000000"
}' | api /quote/v3 --json @-)
echo "quoted $(jq -r .details.currencyOut.amountFormatted <<<"$quote") USDC"

# The accounts of local chains are unlocked, so the node signs. On a live chain, sign with the user's key.
jq -c '.steps[]' <<<"$quote" | while read -r step; do
  rpc_url=$(jq -r --argjson id "$(jq .data.chainId <<<"$step")" '.chains[] | select(.id == $id) | .httpRpcUrl' <<<"$chains")
  # Bash reads amounts up to 9.2 ETH.
  value=$(printf '0x%x' "$(jq -r .data.value <<<"$step")")
  transaction=$(jq -c --arg from "$user" --arg value "$value" '.data | {from: $from, to, data, value: $value}' <<<"$step")
  call='{"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":['$transaction']}'
  hash=$(curl -sS --json "$call" "$rpc_url" | jq -er '.result // error(.error.message)')
  echo "$(jq -r .id <<<"$step") $hash"
done

check=$(jq -r '.steps[-1].check.endpoint' <<<"$quote")
for _ in {1..240}; do
  status=$(api "$check")
  case $(jq -r .status <<<"$status") in
    success | failure | refund) break ;;
  esac
  sleep 0.25
done
if [ "$(jq -r .status <<<"$status")" != success ]; then
  echo "the request did not succeed: $status" >&2
  exit 1
fi
echo "success $(jq -r '.txHashes[0]' <<<"$status")"
