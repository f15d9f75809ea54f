import { createStatusPoller } from "./createStatusPoller.ts";
import { SILENCE_MS, type SourceContext, type StatusSource } from "./statusSource.ts";
import { followWebsocket } from "./followWebsocket.ts";
import { toIntentStatus } from "./toIntentStatus.ts";

/** Reports what a source tells of a request, until the signal fires or the service refuses for good. */
export async function runSource(source: StatusSource, context: SourceContext): Promise<never> {
  switch (source.kind) {
    case "polling":
      return createStatusPoller(context, { isLive: false, silenceMs: SILENCE_MS }).run();
    case "webhook": {
      const poller = createStatusPoller(context, { isLive: true, silenceMs: source.silenceMs ?? SILENCE_MS });
      const unsubscribe = source.feed.subscribe(context.requestId, (event) => {
        poller.heard();
        context.report({ status: toIntentStatus(event) });
      });
      return poller.run().finally(unsubscribe);
    }
    case "websocket":
      return followWebsocket(source, context);
  }
}
