import { InvalidStateError } from "@crosscall/protocol/core";

/** Message port to a child process or to the parent process. */
export interface MessagePort {
  send(message: object, callback: () => void): unknown;
  on(event: "message", listener: (message: unknown) => void): unknown;
}

export interface Channel<Remote> {
  /** @throws {@link InvalidStateError} if the function throws, or the other process exits first */
  call<Name extends keyof Remote>(
    name: Name,
    ...argument: Remote[Name] extends (...values: infer Values) => unknown ? Values : never
  ): Promise<Remote[Name] extends (...values: never) => infer Result ? Awaited<Result> : never>;
  /** Rejects pending calls. */
  end(): void;
}

interface CallMessage {
  readonly call: number;
  readonly name: PropertyKey;
  readonly argument: unknown;
}

interface ResponseMessage {
  readonly answer: number;
  readonly value?: unknown;
  readonly failure?: string;
}

/**
 * Opens a channel for calls between two processes over their message port.
 *
 * @param local functions of this process
 */
export function openChannel<Remote>(port: MessagePort, local: object): Channel<Remote> {
  const procedures = local as Readonly<Record<string, (value: unknown) => unknown>>;
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  let hasEnded = false;

  // The channel ends if the other process exits.
  const send = (message: CallMessage | ResponseMessage): void => void port.send(message, () => undefined);

  const answer = async ({ call, name, argument }: CallMessage): Promise<void> => {
    const message: ResponseMessage = await Promise.resolve(argument)
      .then((value) => procedures[name as string]?.(value))
      .then(
        (value) => ({ answer: call, value }),
        (error: unknown) => ({ answer: call, failure: String(error) }),
      );
    if (!hasEnded) send(message);
  };

  port.on("message", (message) => {
    const received = message as CallMessage | ResponseMessage;
    if ("call" in received) {
      void answer(received);
      return;
    }
    const call = pending.get(received.answer);
    pending.delete(received.answer);
    if (received.failure === undefined) call?.resolve(received.value);
    else call?.reject(failed(received.failure));
  });

  return {
    call(name, ...[argument]) {
      const call = Promise.withResolvers<unknown>();
      if (hasEnded) call.reject(failed("it has exited"));
      else {
        calls += 1;
        pending.set(calls, call);
        send({ call: calls, name, argument });
      }
      return call.promise as never;
    },
    end() {
      hasEnded = true;
      for (const call of pending.values()) call.reject(failed("it has exited"));
      pending.clear();
    },
  };
}

function failed(reason: string): InvalidStateError {
  return new InvalidStateError({
    message: `another process of the oracle did not respond: ${reason}`,
    hint: "Try again; the oracle restarts its workers.",
  });
}
