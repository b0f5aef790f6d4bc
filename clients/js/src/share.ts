import type {Feed} from "./feed.js";
import type {Subscription} from "./subscription.js";
import type {FeedRecord, Status, TopicAge} from "./types.js";

const USUAL_MAX_TOPICS = 10_000;

/** Who watches a shared filter. */
export interface Watcher<T = unknown> {
  onRecord(record: FeedRecord<T>): void;
  onStatus?(status: Status): void;
  onTopic?(age: TopicAge): void;
}

/** Several parts of a program watch the same filters over one connection. */
export interface Share {
  /** Shows the latest record of each topic, then what comes; returns what ends it. */
  watch<T = unknown>(filter: string, watcher: Watcher<T>): () => void;
}

/** One subscription with all that watch it, and the latest record of each topic for those who come later. */
class SharedFilter {
  readonly watchers = new Set<Watcher<any>>();
  private readonly latest = new Map<string, FeedRecord<any>>();
  private readonly silent = new Set<string>();
  private readonly subscription: Subscription<any>;
  private isPartial = false;

  constructor(feed: Feed<any>, filter: string, private readonly maxTopics: number) {
    this.subscription = feed.subscribe<unknown>(filter, {
      snapshot: true,
      onRecord: (record) => this.onRecord(record),
      onStatus: (status) => this.onStatus(status),
      onTopic: (age) => this.onTopic(age),
    });
  }

  private onRecord(record: FeedRecord<any>): void {
    this.latest.delete(record.topic);
    this.latest.set(record.topic, record);
    if (this.latest.size > this.maxTopics) {
      const {value: longest} = this.latest.keys().next();
      this.latest.delete(longest!);
      this.isPartial = true;
    }
    this.watchers.forEach((each) => each.onRecord(record));
  }

  private onStatus(status: Status): void {
    if (status.state === "gap" && status.reason === "lost") {
      this.latest.clear();
      this.isPartial = false;
    } else if (status.state === "gap" && status.reason === "partial") {
      this.isPartial = true;
    }
    if (status.state === "joining") {
      this.silent.clear();
    }
    this.watchers.forEach((each) => each.onStatus?.(status));
  }

  private onTopic(age: TopicAge): void {
    if (age.stale) {
      this.silent.add(age.topic);
    } else {
      this.silent.delete(age.topic);
    }
    this.watchers.forEach((each) => each.onTopic?.(age));
  }

  add(watcher: Watcher<any>): void {
    this.watchers.add(watcher);
    for (const record of this.latest.values()) {
      watcher.onRecord({...record, catchingUp: true, stale: record.stale || this.silent.has(record.topic)});
    }
    this.silent.forEach((topic) => watcher.onTopic?.({topic, stale: true}));
    if (this.isPartial) {
      watcher.onStatus?.({state: "gap", reason: "partial"});
    }
    watcher.onStatus?.(this.subscription.status);
  }

  close(): void {
    this.subscription.close();
  }

  get isClosed(): boolean {
    return this.subscription.status.state === "closed";
  }
}

/**
 * Lets several parts of a program watch the same filters of a feed. Who comes later is shown the latest records from
 * memory, of at most `maxTopics` topics for each filter; of more it is told a gap, "partial".
 */
export function share(feed: Feed<any>, {maxTopics = USUAL_MAX_TOPICS}: {maxTopics?: number} = {}): Share {
  const filters = new Map<string, SharedFilter>();
  return {
    watch(filter, watcher) {
      let shared = filters.get(filter);
      if (!shared || shared.isClosed) {
        shared = new SharedFilter(feed, filter, maxTopics);
        filters.set(filter, shared);
      }
      const of = shared;
      of.add(watcher);
      return () => {
        if (of.watchers.delete(watcher) && of.watchers.size === 0) {
          of.close();
          if (filters.get(filter) === of) {
            filters.delete(filter);
          }
        }
      };
    },
  };
}
