import { type ChildProcess, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";

/** How long a command may take. */
const LIMIT_MS = 10 * 60_000;

/** A new user with an empty folder, who runs command lines. */
export class Shell implements AsyncDisposable {
  readonly folder: string;
  /** The command lines that were run. */
  readonly commands: string[] = [];
  readonly #env: NodeJS.ProcessEnv;
  readonly #background: ChildProcess[] = [];

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = env;
  }

  /** @param env environment of all commands */
  static async in(folder: string, env: NodeJS.ProcessEnv): Promise<Shell> {
    await mkdir(folder, { recursive: true });
    return new Shell(folder, env);
  }

  /** Runs a command line until it ends, and returns its output. */
  run(command: string, { isExpectedToFail = false }: { readonly isExpectedToFail?: boolean } = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = this.#start(command);
      const timer = setTimeout(() => stop(child), LIMIT_MS);
      let output = "";
      child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
      child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
      child.on("close", (code) => {
        clearTimeout(timer);
        if ((code === 0) !== isExpectedToFail) resolve(output);
        else reject(new Error(`${command}\n${output}`));
      });
    });
  }

  /** Starts a command line in the background, and returns when its output matches. */
  startUntil(command: string, pattern: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = this.#start(command);
      this.#background.push(child);
      let output = "";
      const read = (chunk: Buffer): void => {
        output += chunk.toString();
        if (pattern.test(output)) resolve();
      };
      child.stdout?.on("data", read);
      child.stderr?.on("data", read);
      child.on("close", () => reject(new Error(`${command}\n${output}`)));
    });
  }

  #start(command: string): ChildProcess {
    this.commands.push(command);
    // In a group of its own, so that programs that the shell starts end as well.
    return spawn("bash", ["-c", command], {
      cwd: this.folder,
      env: this.#env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#background.map(
        (child) =>
          new Promise<void>((resolve) => {
            if (child.exitCode === null && child.signalCode === null) {
              child.on("close", () => resolve());
              stop(child);
            } else resolve();
          }),
      ),
    );
  }
}

function stop({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
