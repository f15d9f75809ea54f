// Requests a URL a number of times in sequence over one connection.
import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";

const [url = "", count = ""] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const poll = (): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      text(response).then(resolve, reject);
    }).on("error", reject);
  });

for (let done = 0; done < Number(count); done += 1) await poll();
agent.destroy();
