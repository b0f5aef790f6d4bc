/** One record as it arrives. */
export interface FeedRecord<T = unknown> {
  /** What it is about. */
  readonly topic: string;
  /** The fact: of a topic, an id is given once for ever. */
  readonly id: string;
  /** Event time, microseconds since 1970 UTC. */
  readonly time: number;
  readonly data: T;
  /** Its place in the feed, `<shard>.<epoch>-<offset>`; empty if the node gave none. */
  readonly position: string;
  /** When it came, milliseconds since 1970 by this clock. */
  readonly received: number;
  /** How old it was when it was sent, in milliseconds; only in snapshots and what was fetched. */
  readonly ageMs?: number;
  /** Its topic was silent for too long when it was sent. */
  readonly stale: boolean;
  /** Part of a snapshot, or of what was missed; live records follow. */
  readonly catchingUp: boolean;
  /** Records were missed between the one before and this one. */
  readonly afterGap: boolean;
}

/** How the connection is. "silent" is connected, but nothing is heard; "waiting" comes back by itself. */
export type ConnectionState = "connecting" | "live" | "silent" | "waiting" | "closed";

/** The connection, with the last disconnect's code and reason. */
export interface Connection {
  readonly state: ConnectionState;
  /** A disconnect's code (3001 …), the HTTP status of a refusal (401 …), a close code, or 0. */
  readonly code: number;
  /** The stable word of the code, such as "slow" or "token_expired"; may be empty. */
  readonly reason: string;
  /** A sentence for people. */
  readonly message: string;
  /** When it comes back, milliseconds since 1970; while it waits. */
  readonly retryAt?: number;
}

/** How far a subscription's records can be believed. */
export type Status =
  /** A snapshot, or what was missed, is on its way. */
  | {readonly state: "joining"}
  /** What is shown is what is so. */
  | {readonly state: "live"}
  /** Values may be old: the connection is lost, or the feed behind the node is. */
  | {readonly state: "stale"; readonly reason: "connection" | "feed"}
  /**
   * Records were missed. "lost": the node had them no longer, a snapshot follows. "slow_consumer": the queue was full.
   * "partial": a snapshot may lack topics that have not changed for long.
   */
  | {readonly state: "gap"; readonly reason: "lost" | "slow_consumer" | "partial"}
  /** It is over. */
  | {readonly state: "closed"; readonly code: number; readonly reason: string; readonly message: string};

/** One topic of a filter was silent for too long, or is back. */
export interface TopicAge {
  readonly topic: string;
  readonly stale: boolean;
}

/** What operators' caps leave of a subscription. What is not limited is not there; empty: no cap concerns it. */
export interface Caps {
  /** Most records per second of each topic. */
  readonly maxRate?: number;
  /** Most bytes of records per second. */
  readonly maxBytesPerSecond?: number;
  /** Topics with a lower rate; the lowest that matches a topic holds. */
  readonly lower?: readonly {readonly topics: string; readonly maxRate: number}[];
  /** How many are not listed in `lower`. */
  readonly more?: number;
}

/**
 * What becomes of records that the program does not take in time.
 * "end": the subscription ends with the reason `slow_consumer`. "drop-oldest": the oldest go, and a gap is told.
 * "latest": the newest of each topic stays; of more topics than the queue holds the oldest go, and a gap is told.
 */
export type QueuePolicy = "end" | "drop-oldest" | "latest";

export interface SubscribeOptions<T = unknown> {
  /** First the latest record of each topic. */
  readonly snapshot?: boolean;
  /** The node sends only the newest of each topic while the connection is behind. */
  readonly mode?: "every" | "latest";
  /** Most records per second and topic. */
  readonly maxRate?: number;
  /** Only records of which this expression in CEL is true, such as `data.odds < 3.0`. */
  readonly where?: string;
  /** Only these fields of the data. */
  readonly fields?: readonly string[];
  /** Most bytes of records per second, of all subscriptions that have one together. */
  readonly maxBytesPerSecond?: number;
  /** false: the node sends each record whole, and never only what is different to the last of its topic. */
  readonly deltas?: boolean;
  /** Most records that wait for the program; 10,000 by default, with the policy "end". */
  readonly queue?: {readonly max?: number; readonly policy?: QueuePolicy};
  /** Takes each record at once; then nothing is queued, and there is nothing to iterate over. */
  readonly onRecord?: (record: FeedRecord<T>) => void;
  readonly onStatus?: (status: Status) => void;
  readonly onTopic?: (age: TopicAge) => void;
  /** Is told what operators' caps leave of it, when that changes. */
  readonly onCapped?: (caps: Caps) => void;
}

/** Other wishes for a subscription. What is absent stays as it is; null ends a wish. */
export interface Wishes {
  readonly where?: string | null;
  readonly fields?: readonly string[] | null;
  readonly maxRate?: number | null;
  readonly maxBytesPerSecond?: number | null;
}

/** Whether a topic belongs to a filter, told from their types. */
export type Matches<Topic extends string, Filter extends string> = Filter extends "#"
  ? true
  : Filter extends `${infer FilterLevel}/${infer FilterRest}`
    ? Topic extends `${infer Level}/${infer Rest}`
      ? FilterLevel extends "+" | Level
        ? Matches<Rest, FilterRest>
        : false
      : FilterRest extends "#"
        ? FilterLevel extends "+" | Topic
          ? true
          : false
        : false
    : Filter extends "+"
      ? Topic extends `${string}/${string}`
        ? false
        : true
      : Topic extends Filter
        ? true
        : false;

/** The data of a topic or filter, by the first of `Topics` that is the same or matches it. */
export type DataOf<Topics, Asked extends string> = Asked extends keyof Topics
  ? Topics[Asked]
  : {[F in keyof Topics & string]: Matches<Asked, F> extends true ? Topics[F] : never}[keyof Topics & string];

/** A subscription has ended otherwise than by the program's own wish. */
export class FeedError extends Error {
  override readonly name = "FeedError";

  constructor(
    /** A stable word: `slow_consumer`, `access_denied`, `token_expired` … */
    readonly reason: string,
    message: string,
    /** The number of a disconnect or of an HTTP status, or 0. */
    readonly code = 0,
  ) {
    super(message);
  }
}
