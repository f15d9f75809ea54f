// Pays 0.01 ETH on Arbitrum and receives USDC on Base. Needs no modules: go run transfer.go
//
// Start the network first: crosscall up --like-mainnet --chains base,arbitrum --block-time 0
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"os"
	"strings"
	"time"
)

const (
	user = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
	eth  = "0x0000000000000000000000000000000000000000"
	usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
)

type object = map[string]any

var apiURL = env("CROSSCALL_API_URL", "http://127.0.0.1:3000")
var apiKey = env("CROSSCALL_API_KEY", "crosscall-local")

type quote struct {
	Steps []struct {
		ID   string
		Data struct {
			To, Data, Value string
			ChainID         int
		}
		Check struct{ Endpoint string }
	}
	Details struct {
		CurrencyOut struct{ AmountFormatted string }
	}
}

func main() {
	var list struct {
		Chains []struct {
			ID         int
			HTTPRPCURL string `json:"httpRpcUrl"`
		}
	}
	fetch("GET", apiURL+"/chains", nil, &list)
	rpcURLs := map[int]string{}
	for _, chain := range list.Chains {
		rpcURLs[chain.ID] = chain.HTTPRPCURL
	}
	var quoted quote
	fetch("POST", apiURL+"/quote/v3", object{
		"user": user, "originChainId": 42161, "originCurrency": eth, "destinationChainId": 8453,
		"destinationCurrency": usdc, "tradeType": "EXACT_INPUT", "amount": "10000000000000000",
	}, &quoted)
	fmt.Println("quoted", quoted.Details.CurrencyOut.AmountFormatted, "USDC")

	// The accounts of local chains are unlocked, so the node signs. On a live chain, sign with the user's key.
	for _, step := range quoted.Steps {
		value, ok := new(big.Int).SetString(step.Data.Value, 10)
		if !ok {
			log.Fatalf("not an amount: %s", step.Data.Value)
		}
		transaction := object{"from": user, "to": step.Data.To, "data": step.Data.Data, "value": fmt.Sprintf("0x%x", value)}
		var answer struct {
			Result string
			Error  *struct{ Message string }
		}
		call := object{"jsonrpc": "2.0", "id": 1, "method": "eth_sendTransaction", "params": []any{transaction}}
		fetch("POST", rpcURLs[step.Data.ChainID], call, &answer)
		if answer.Error != nil {
			log.Fatal(answer.Error.Message)
		}
		fmt.Println(step.ID, answer.Result)
	}

	endpoint := quoted.Steps[len(quoted.Steps)-1].Check.Endpoint
	var status struct {
		Status   string
		TxHashes []string
	}
	for tries := 0; tries < 240; tries++ {
		fetch("GET", apiURL+endpoint, nil, &status)
		if status.Status == "success" {
			fmt.Println("success", status.TxHashes[0])
			return
		}
		if status.Status == "failure" || status.Status == "refund" {
			break
		}
		time.Sleep(250 * time.Millisecond)
	}
	log.Fatalf("the request did not succeed: %+v", status)
}

func fetch(method, url string, body any, into any) {
	sent, err := json.Marshal(body)
	check(err)
	request, err := http.NewRequest(method, url, bytes.NewReader(sent))
	check(err)
	request.Header.Set("content-type", "application/json")
	if strings.HasPrefix(url, apiURL) {
		request.Header.Set("x-api-key", apiKey)
	}
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s %s: %s", method, url, response.Status)
	}
	check(json.NewDecoder(response.Body).Decode(into))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}
