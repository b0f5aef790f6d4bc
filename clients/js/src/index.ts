/** Watches a Galop feed from browsers, workers and Node.js. See docs/clients.md. */
export {connect, Feed, type ConnectOptions} from "./feed.js";
export type {
  Aggregates,
  HistoryPage,
  HistoryQuery,
  PastRecord,
  PointQuery,
  Row,
  RowPage,
  RowQuery,
  Stretch,
} from "./history.js";
export {share, type Share, type Watcher} from "./share.js";
export {comparePositions} from "./positions.js";
export type {SockJsClass, Socket, WebSocketClass} from "./socket.js";
export {Subscription} from "./subscription.js";
export type {TokenSource} from "./token.js";
export * from "./types.js";
