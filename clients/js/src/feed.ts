import {Changes, type Headers} from "./changes.js";
import core, {type CoreFeed, type CoreRecord, type CoreRefusal} from "./core.js";
import {
  type Aggregates,
  type HistoryPage,
  type HistoryQuery,
  type PointQuery,
  recordPages,
  type RowPage,
  rowPages,
  type RowQuery,
} from "./history.js";
import {Owed} from "./owed.js";
import {Door, type SockJsClass, ViewerSocket, type WebSocketClass} from "./socket.js";
import {Subscription} from "./subscription.js";
import type {TokenSource} from "./token.js";
import {type Connection, type DataOf, FeedError, type SubscribeOptions} from "./types.js";

export interface ConnectOptions {
  /** A token, or what gives one: it is asked for each connection, and before a token expires. */
  readonly token?: TokenSource;
  readonly onConnection?: (connection: Connection) => void;
  /** The node has taken a renewed token (empty reason), or refused it and says why. */
  readonly onToken?: (reason: string, message: string) => void;
  /** Instead of the runtime's WebSocket, or of the package `ws` in Node.js before 22. */
  readonly webSocket?: WebSocketClass;
  /** SockJS's class, for networks in which websockets do not come through. */
  readonly sockjs?: SockJsClass;
  /** The transports that SockJS may try, in order. */
  readonly transports?: string[];
  /** false: do not tell the node, now and then, when a record was on the screen. */
  readonly shown?: boolean;
}

/** The first of the codes after which another try would fail as well; those above are about tokens. */
const MESSAGE_TOO_LARGE = 3500;

type Named<Topics> = keyof Topics & string;

/** A connection to a feed that comes back by itself. `Topics` gives the data of filters: `{"race/+": Race}`. */
export class Feed<Topics = {}> {
  private readonly feed: CoreFeed;
  private readonly subscriptions = new Map<string, Subscription<any>>();
  private readonly door: Door;
  private readonly owed = new Owed();
  private socket: ViewerSocket | undefined;
  private isOwnWish = false;

  constructor(
    url: string,
    private readonly options: ConnectOptions,
  ) {
    const door = (this.door = new Door({...options, url}));
    const told = (reason: string, message: string) => options.onToken?.(reason, message);
    const opened = (socket: ViewerSocket) => (this.socket = socket);
    const OneSocket = class extends ViewerSocket {
      constructor() {
        super(door, told);
        opened(this);
      }
    };
    this.feed = core(OneSocket).connect("", {
      again: (code) => door.isRenewable && code > MESSAGE_TOO_LARGE,
      shown: options.shown ?? true,
    });
    this.feed.onstate = () => this.onState();
    this.feed.onerr = (refusal) => this.onRefusal(refusal);
    this.feed.onresumed = (filter, complete) => this.subscriptions.get(filter)?.resumed(complete);
    this.feed.onlive = (filter, partial) => {
      this.owed.forget(filter);
      this.subscriptions.get(filter)?.live(partial);
    };
    this.feed.onstale = (filter) => this.subscriptions.get(filter)?.feed(true);
    this.feed.onfresh = (filter) => this.subscriptions.get(filter)?.feed(false);
    this.feed.oncapped = (filter, caps) => this.subscriptions.get(filter)?.capped(caps);
    this.feed.onupdated = (filter, caps) => this.subscriptions.get(filter)?.updated(caps);
    this.feed.ontopicstale = (topic, filter) => this.onTopic(topic, filter, true);
    this.feed.ontopicfresh = (topic, filter) => this.onTopic(topic, filter, false);
  }

  get connection(): Connection {
    const {code, reason, word, retryAt} = this.feed.detail;
    const state = this.feed.state || "connecting";
    return {state, code, reason: word, message: reason, ...(state === "waiting" ? {retryAt} : {})};
  }

  /**
   * Watches a filter. Each filter can be subscribed once; `share` has several take part in one.
   *
   * @throws FeedError if the filter is subscribed already, or the feed is closed
   */
  subscribe<F extends Named<Topics>>(filter: F, options?: SubscribeOptions<Topics[F]>): Subscription<Topics[F]>;
  subscribe<T = never, F extends string = string>(
    filter: F,
    options?: SubscribeOptions<[T] extends [never] ? ByTopic<Topics, F> : T>,
  ): Subscription<[T] extends [never] ? ByTopic<Topics, F> : T>;
  subscribe(filter: string, options: SubscribeOptions<any> = {}): Subscription<any> {
    if (this.subscriptions.has(filter)) {
      throw new FeedError("already_subscribed", `'${filter}' is subscribed already: use share()`);
    }
    if (this.feed.state === "closed") {
      throw new FeedError("closed", "the feed is closed");
    }
    const headers: Headers = {words: true};
    const changes = new Changes(headers, (wishes) => this.say({type: "update", address: filter, headers: wishes}));
    const subscription = new Subscription<any>(filter, options, () => this.unsubscribe(filter), changes);
    this.subscriptions.set(filter, subscription);
    for (const name of ["snapshot", "mode", "maxRate", "maxBytesPerSecond", "where", "deltas"] as const) {
      if (options[name] !== undefined) {
        headers[name] = options[name];
      }
    }
    if (options.fields) {
      headers.fields = options.fields.join(",");
    }
    subscription.connected(this.feed.state);
    this.feed.register(filter, headers, (record: CoreRecord) => subscription.record(record));
    return subscription;
  }

  /**
   * Asks the node about the past of a filter; the loop over the answer's pages asks for the next of `limit` records
   * when it wants one. It throws a FeedError with the node's words.
   */
  history<F extends Named<Topics>>(filter: F, query?: HistoryQuery): AsyncIterableIterator<HistoryPage<Topics[F]>>;
  history<T = never, F extends string = string>(
    filter: F,
    query?: HistoryQuery,
  ): AsyncIterableIterator<HistoryPage<[T] extends [never] ? ByTopic<Topics, F> : T>>;
  history(filter: string, query: HistoryQuery = {}): AsyncIterableIterator<HistoryPage<any>> {
    return recordPages(this.door, filter, query);
  }

  /** The same folded: a row for each topic and stretch of time, or so many points of each topic for a plot. */
  rows(filter: string, query: RowQuery): AsyncIterableIterator<RowPage<Aggregates>>;
  rows(filter: string, query: PointQuery): AsyncIterableIterator<RowPage<number>>;
  rows(filter: string, query: RowQuery | PointQuery): AsyncIterableIterator<RowPage<any>> {
    return rowPages(this.door, filter, query);
  }

  /** Comes back now, instead of after the back-off. */
  reconnect(): void {
    this.feed.reconnect();
  }

  /** Ends the connection and all subscriptions. */
  close(): void {
    this.isOwnWish = true;
    this.feed.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** What the core does not say by itself, over the connection of now. */
  private say(message: object): void {
    this.socket?.send(JSON.stringify(message));
  }

  private unsubscribe(filter: string): void {
    const isOpen = this.feed.state === "live" || this.feed.state === "silent";
    if (isOpen) {
      this.owed.add(filter, this.subscriptions.get(filter)?.unanswered ?? 0);
    }
    if (this.subscriptions.delete(filter)) {
      this.feed.unregister(filter);
    }
  }

  private onState(): void {
    const now = this.connection;
    if (now.state !== "live" && now.state !== "silent") {
      this.owed.clear();
    }
    for (const each of this.subscriptions.values()) {
      if (now.state !== "closed") {
        each.connected(now.state);
      }
    }
    if (now.state === "closed") {
      this.endAll(now);
    }
    this.options.onConnection?.(now);
  }

  private endAll({code, reason, message}: Connection): void {
    const all = [...this.subscriptions.values()];
    this.subscriptions.clear();
    const failure = this.isOwnWish ? undefined : new FeedError(reason || "closed", message || "the feed is closed", code);
    all.forEach((each) => each.end(failure));
  }

  private onRefusal({address = "", body, message, failureType}: CoreRefusal): void {
    const subscription = this.subscriptions.get(address);
    const isOfNone = body === "not_registered" || body === "address_already_registered" || failureType === "disconnect";
    if (subscription?.refused(body, message) || isOfNone) {
      return;
    }
    if (this.owed.take(address)) {
      this.askAgain(address);
    } else if (subscription) {
      this.unsubscribe(address);
      this.owed.take(address); // this answer
      subscription.end(new FeedError(body, message));
    }
  }

  /** It may be the registration of now that is refused: if not, the node says to this that it is registered. */
  private askAgain(filter: string): void {
    const registration = this.feed.registrations[filter];
    const subscription = this.subscriptions.get(filter);
    if (registration && subscription) {
      subscription.asked();
      this.feed.register(filter, registration.headers, registration.onrecord);
    }
  }

  private onTopic(topic: string, filter: string, stale: boolean): void {
    this.subscriptions.get(filter)?.topic({topic, stale});
  }
}

/** The data of a topic of the map; `unknown` for one that no filter of the map matches. */
type ByTopic<Topics, F extends string> = [DataOf<Topics, F>] extends [never] ? unknown : DataOf<Topics, F>;

/** Connects to a node's feed, such as `https://feed.example.com/live`. The connection opens meanwhile. */
export function connect<Topics = {}>(url: string, options: ConnectOptions = {}): Feed<Topics> {
  return new Feed<Topics>(url, options);
}
