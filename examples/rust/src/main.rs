//! Pays 0.01 ETH on Arbitrum and receives USDC on Base: cargo run
//!
//! Start the network first: crosscall up --like-mainnet --chains base,arbitrum --block-time 0

use std::{env, error::Error, thread::sleep, time::Duration};

use serde_json::{json, Value};

const USER: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const ETH: &str = "0x0000000000000000000000000000000000000000";
const USDC: &str = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

fn main() -> Result<(), Box<dyn Error>> {
    let api_url = env::var("CROSSCALL_API_URL").unwrap_or("http://127.0.0.1:3000".into());
    let api_key = env::var("CROSSCALL_API_KEY").unwrap_or("crosscall-local".into());
    let get = |path: &str| -> Result<Value, Box<dyn Error>> {
        let request = ureq::get(&format!("{api_url}{path}")).set("x-api-key", &api_key);
        Ok(request.call()?.into_json()?)
    };

    let chains = get("/chains")?;
    let quote: Value = ureq::post(&format!("{api_url}/quote/v3"))
        .set("x-api-key", &api_key)
        .send_json(json!({
            "user": USER,
            "originChainId": 42161,
            "originCurrency": ETH,
            "destinationChainId": 8453,
            "destinationCurrency": USDC,
            "tradeType": "EXACT_INPUT",
            "amount": "10000000000000000",
        }))?
        .into_json()?;
    println!(
        "quoted {} USDC",
        text(&quote["details"]["currencyOut"]["amountFormatted"])?
    );

    // The accounts of local chains are unlocked, so the node signs. On a live chain, sign with the user's key.
    let steps = quote["steps"].as_array().ok_or("the quote has no steps")?;
    for step in steps {
        let call = &step["data"];
        let chain = chains["chains"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|chain| chain["id"] == call["chainId"]);
        let rpc_url = text(&chain.ok_or("an unknown chain")?["httpRpcUrl"])?;
        let value = format!("{:#x}", text(&call["value"])?.parse::<u128>()?);
        let transaction =
            json!({ "from": USER, "to": call["to"], "data": call["data"], "value": value });
        let answer: Value = ureq::post(rpc_url)
            .send_json(json!({
                "jsonrpc": "2.0",
                "id": 1,
                "method": "eth_sendTransaction",
                "params": [transaction],
            }))?
            .into_json()?;
        let hash = answer["result"]
            .as_str()
            .ok_or_else(|| answer["error"]["message"].to_string())?;
        println!("{} {hash}", text(&step["id"])?);
    }

    let check = text(&steps.last().ok_or("the quote has no steps")?["check"]["endpoint"])?;
    let mut status = Value::Null;
    for _ in 0..240 {
        status = get(check)?;
        match status["status"].as_str() {
            Some("success") => {
                println!("success {}", text(&status["txHashes"][0])?);
                return Ok(());
            }
            Some("failure" | "refund") => break,
            _ => sleep(Duration::from_millis(250)),
        }
    }
    Err(format!("the request did not succeed: {status}").into())
}

fn text(value: &Value) -> Result<&str, Box<dyn Error>> {
    value
        .as_str()
        .ok_or_else(|| format!("not a text: {value}").into())
}
