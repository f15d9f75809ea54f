import { lockFolder } from "../../../packages/crosscall/src/localnet/store/databases/lockFolder.ts";

// Process that uses a database folder until it is killed: `node holdFolder.ts <database folder> <url of its service>`.
const [folder = "", url = ""] = process.argv.slice(2);
const lock = await lockFolder(folder);
lock.publish(url);
process.stdout.write("up\n");
setInterval(() => undefined, 60_000);
