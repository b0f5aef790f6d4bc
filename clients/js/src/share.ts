import type {Feed} from "./feed.js";
import type {Subscription} from "./subscription.js";
import type {Caps, FeedRecord, Status, TopicAge} from "./types.js";

const USUAL_MAX_TOPICS = 10_000;

/** Who watches a shared filter. */
export interface Watcher<T = unknown> {
  onRecord(record: FeedRecord<T>): void;
  onStatus?(status: Status): void;
  onTopic?(age: TopicAge): void;
  onCapped?(caps: Caps): void;
}

/** What is known of a shared filter. */
export interface SharedView {
  /** The latest record of each topic. */
  readonly latest: ReadonlyMap<string, FeedRecord<any>>;
  readonly silent: ReadonlySet<string>;
  /** Whether what was "lost" is followed by a snapshot of all, else of one shard of it. */
  readonly isLoadedAnew: boolean;
  /** Whether topics may be missing. */
  readonly isPartial: boolean;
  readonly status: Status;
  readonly caps: Caps;
}

/** A watcher that reads what it has not been told. */
export interface Reader extends Watcher<any> {
  /** The view has no record of the topic any more. */
  onForgotten(topic: string): void;
}

/** Several parts of a program watch the same filters over one connection. */
export interface Share {
  /** Shows the latest record of each topic, then what comes; returns what ends it. */
  watch<T = unknown>(filter: string, watcher: Watcher<T>): () => void;
}

/** One subscription with all that watch it, and the latest record of each topic for those who come later. */
class SharedFilter implements SharedView {
  readonly watchers = new Set<Watcher<any> & Partial<Reader>>();
  readonly latest = new Map<string, FeedRecord<any>>();
  readonly silent = new Set<string>();
  private readonly subscription: Subscription<any>;
  isPartial = false;

  constructor(feed: Feed<any>, filter: string, private readonly maxTopics: number) {
    this.subscription = feed.subscribe<unknown>(filter, {
      snapshot: true,
      onRecord: (record) => this.onRecord(record),
      onStatus: (status) => this.onStatus(status),
      onTopic: (age) => this.onTopic(age),
      onCapped: (caps) => this.watchers.forEach((each) => each.onCapped?.(caps)),
    });
  }

  private onRecord(record: FeedRecord<any>): void {
    if (record.stale) {
      this.silent.add(record.topic); // a snapshot has no other word of it
    }
    this.latest.delete(record.topic);
    this.latest.set(record.topic, record);
    if (this.latest.size > this.maxTopics) {
      const {value: longest} = this.latest.keys().next();
      this.latest.delete(longest!);
      this.isPartial = true;
      this.watchers.forEach((each) => each.onForgotten?.(longest!));
    }
    this.watchers.forEach((each) => each.onRecord(record));
  }

  private onStatus(status: Status): void {
    if (status.state === "gap" && status.reason === "lost") {
      if (this.isLoadedAnew) {
        this.latest.clear();
        this.isPartial = false;
      }
    } else if (status.state === "gap" && status.reason === "partial") {
      this.isPartial = true;
    }
    if (status.state === "joining" && !this.subscription.isAnswered) {
      this.silent.clear(); // another connection tells anew
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

  get isLoadedAnew(): boolean {
    return this.subscription.isLoadedAnew;
  }

  get status(): Status {
    return this.subscription.status;
  }

  get caps(): Caps {
    return this.subscription.caps;
  }

  add(watcher: Watcher<any>): void {
    this.watchers.add(watcher);
    if (Object.keys(this.caps).length > 0) {
      watcher.onCapped?.(this.caps);
    }
    for (const record of this.latest.values()) {
      watcher.onRecord({...record, catchingUp: true, stale: this.silent.has(record.topic)});
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

/** The filters of a feed that are shared, each for as long as somebody watches it. */
export class SharedFilters {
  private readonly filters = new Map<string, SharedFilter>();

  constructor(private readonly feed: Feed<any>, private readonly maxTopics = USUAL_MAX_TOPICS) {}

  watch(filter: string, watcher: Watcher<any>): () => void {
    const shared = this.shared(filter);
    shared.add(watcher);
    return () => this.leave(shared, filter, watcher);
  }

  /** `reader` makes one that reads the view from its beginning on. */
  read<R extends Reader>(filter: string, reader: (view: SharedView) => R): {reader: R; stop: () => void} {
    const shared = this.shared(filter);
    const made = reader(shared);
    shared.watchers.add(made);
    return {reader: made, stop: () => this.leave(shared, filter, made)};
  }

  private shared(filter: string): SharedFilter {
    let shared = this.filters.get(filter);
    if (!shared || shared.isClosed) {
      shared = new SharedFilter(this.feed, filter, this.maxTopics);
      this.filters.set(filter, shared);
    }
    return shared;
  }

  private leave(shared: SharedFilter, filter: string, watcher: Watcher<any>): void {
    if (shared.watchers.delete(watcher) && shared.watchers.size === 0) {
      shared.close();
      if (this.filters.get(filter) === shared) {
        this.filters.delete(filter);
      }
    }
  }
}

/**
 * Lets several parts of a program watch the same filters of a feed. Who comes later is shown the latest records from
 * memory, of at most `maxTopics` topics for each filter; of more it is told a gap, "partial".
 */
export function share(feed: Feed<any>, {maxTopics = USUAL_MAX_TOPICS}: {maxTopics?: number} = {}): Share {
  const filters = new SharedFilters(feed, maxTopics);
  return {watch: (filter, watcher) => filters.watch(filter, watcher)};
}
