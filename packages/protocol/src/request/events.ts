export { readStatusEvent, STATUS_EVENT, type StatusEvent, StatusUpdateSchema } from "./statusEvent.ts";
export {
  type WebsocketResponse,
  type WebsocketCommand,
  WebsocketCommandSchema,
  type WebsocketReady,
} from "./websocketCommand.ts";
export { readWebsocketMessage, WEBSOCKET_CLOSE_CODES } from "./websocketMessage.ts";
