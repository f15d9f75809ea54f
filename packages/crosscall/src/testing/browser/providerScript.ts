/** What the injected script needs to know. */
export interface ProviderScriptParameters {
  /** Name of the exposed function that handles requests. */
  readonly binding: string;
  /** Name of the function that passes an event to the listeners of the page. */
  readonly emitter: string;
  /** EIP-6963. */
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string; readonly rdns: string };
}

/**
 * The script of an EIP-1193 provider that forwards requests to Node.js. It is text, because test runners compile
 * functions with helpers that a page does not have.
 */
export function toProviderScript(parameters: ProviderScriptParameters): string {
  return `(({ binding, emitter, info }) => {
  const handle = window[binding];
  const listeners = new Map();
  const provider = {
    async request({ method, params }) {
      const { result, error } = await handle({ method, params });
      if (error) throw Object.assign(new Error(error.message), error);
      return result;
    },
    on(event, listener) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
      return provider;
    },
    removeListener(event, listener) {
      listeners.set(event, (listeners.get(event) ?? []).filter((each) => each !== listener));
      return provider;
    },
  };
  window[emitter] = (event, value) => {
    for (const listener of listeners.get(event) ?? []) listener(value);
  };
  window.ethereum ??= provider;
  const detail = Object.freeze({ info: Object.freeze(info), provider });
  const announce = () => window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
})(${JSON.stringify(parameters)});`;
}
