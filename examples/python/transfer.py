"""Pays 0.01 ETH on Arbitrum and receives USDC on Base. Needs no packages: python3 transfer.py

Start the network first: crosscall up --like-mainnet --chains base,arbitrum --block-time 0
"""

import json
import os
import time
import urllib.request

API_URL = os.environ.get("CROSSCALL_API_URL", "http://127.0.0.1:3000")
API_KEY = os.environ.get("CROSSCALL_API_KEY", "crosscall-local")
USER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
ARBITRUM, BASE = 42161, 8453
ETH = "0x0000000000000000000000000000000000000000"
USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"


def fetch(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    if url.startswith(API_URL):
        headers["x-api-key"] = API_KEY
    with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as response:
        return json.load(response)


def rpc(url, method, *params):
    answer = fetch(url, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    if "error" in answer:
        raise RuntimeError(answer["error"]["message"])
    return answer["result"]


chains = fetch(f"{API_URL}/chains")["chains"]
rpc_urls = {chain["id"]: chain["httpRpcUrl"] for chain in chains}
quote = fetch(
    f"{API_URL}/quote/v3",
    {
        "user": USER,
        "originChainId": ARBITRUM,
        "originCurrency": ETH,
        "destinationChainId": BASE,
        "destinationCurrency": USDC,
        "tradeType": "EXACT_INPUT",
        "amount": str(10**16),
    },
)
print("quoted", quote["details"]["currencyOut"]["amountFormatted"], "USDC")

# The accounts of local chains are unlocked, so the node signs. On a live chain, sign with the user's key.
for step in quote["steps"]:
    call = step["data"]
    transaction = {"from": USER, "to": call["to"], "data": call["data"], "value": hex(int(call["value"]))}
    transaction_hash = rpc(rpc_urls[call["chainId"]], "eth_sendTransaction", transaction)
    print(step["id"], transaction_hash)

check = quote["steps"][-1]["check"]["endpoint"]
for _ in range(240):
    status = fetch(API_URL + check)
    if status["status"] in ("success", "failure", "refund"):
        break
    time.sleep(0.25)
if status["status"] != "success":
    raise SystemExit(f"the request did not succeed: {status}")
print("success", status["txHashes"][0])
