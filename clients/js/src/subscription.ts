import type {Changes} from "./changes.js";
import type {CoreFeed, CoreRecord} from "./core.js";
import {RecordQueue} from "./queue.js";
import {type Caps, FeedError, type FeedRecord, type Status, type SubscribeOptions, type TopicAge, type Wishes} from "./types.js";

const USUAL_MAX = 10_000;

/**
 * One filter that is watched. Iterate over it for its records; leaving the loop ends it. The loop throws a FeedError
 * when it ends otherwise.
 */
export class Subscription<T = unknown> implements AsyncIterable<FeedRecord<T>> {
  private readonly queue: RecordQueue<T>;
  /** Ends it when the program is too slow; absent if it goes on then. */
  private readonly endAsSlow: ((message?: string) => void) | undefined;
  private isSettled = false;
  private isConnected = false;
  private wasConnected = false;
  private isCutOff = false;
  private isAfterGap = false;
  /** @internal The node has answered the registration over this connection. */
  isAnswered = false;
  /** @internal What was lost before a resume: a snapshot of all follows, else of one shard. */
  isLoadedAnew = false;
  private now: Status = {state: "joining"};
  private limits: Caps = {};
  private areLimitsTold = false;
  /** Registers over this connection since the node last told that it is live; another begins with one. */
  private registers = 1;

  constructor(
    readonly filter: string,
    private readonly options: SubscribeOptions<T>,
    private readonly unregister: () => void,
    /** Absent where others share the registration. */
    private readonly changes?: Changes,
  ) {
    const {max = USUAL_MAX, policy = "end"} = options.queue ?? {};
    if (policy === "end" && !options.onRecord) {
      this.endAsSlow = (message = `${max} records wait for the program, which is too slow`) => {
        this.unregister();
        this.end(new FeedError("slow_consumer", message));
      };
    }
    this.queue = new RecordQueue<T>(max, policy, () => {
      if (this.endAsSlow) {
        this.endAsSlow();
      } else {
        this.told({state: "gap", reason: "slow_consumer"});
        this.restate();
      }
    });
  }

  get status(): Status {
    return this.now;
  }

  /** What operators' caps leave of it, as far as the node has told. */
  get caps(): Caps {
    return this.limits;
  }

  /** How many records went, as the queue was full. */
  get missed(): number {
    return this.queue.missed;
  }

  /**
   * Changes what of the records is wanted and how much, without a gap or a second snapshot. One change at a time.
   *
   * @returns when all that follows is by the new wishes
   * @throws FeedError if the node refuses them, and all stays as it was; `shared` for a tab's
   */
  async update(wishes: Wishes): Promise<void> {
    if (!this.changes) {
      throw new FeedError("shared", `others watch '${this.filter}' over the same registration`);
    }
    if (this.now.state === "closed") {
      throw new FeedError("closed", "the subscription is over");
    }
    await this.changes.ask(wishes, this.isConnected && this.isSettled);
  }

  /** Ends it; the loop over it ends as well. */
  close(): void {
    if (this.now.state !== "closed") {
      this.unregister();
      this.queue.discard();
      this.told({state: "closed", code: 0, reason: "", message: ""});
    }
  }

  [Symbol.dispose](): void {
    this.close();
  }

  [Symbol.asyncIterator](): AsyncIterator<FeedRecord<T>, undefined> {
    return {
      next: () => this.queue.take(),
      return: async () => {
        this.close();
        return {value: undefined, done: true};
      },
    };
  }

  /** @internal */
  record(from: CoreRecord): void {
    const {position: at} = from;
    const record: FeedRecord<T> = {
      topic: from.topic,
      id: from.id,
      time: from.time,
      data: from.data as T,
      position: at ? `${at.shard}.${at.epoch}-${at.offset}` : "",
      received: from.received,
      ...(from.ageMs === undefined ? {} : {ageMs: from.ageMs}),
      stale: from.stale,
      catchingUp: from.catchingUp,
      afterGap: this.isAfterGap,
    };
    this.isAfterGap = false;
    this.isAnswered = true;
    this.accept(record);
  }

  /** @internal */
  accept(record: FeedRecord<T>): void {
    if (this.options.onRecord) {
      this.options.onRecord(record);
    } else {
      this.queue.put(record);
    }
  }

  /** @internal */
  resumed(complete: boolean): void {
    this.isLoadedAnew = !complete && !this.isAnswered;
    this.isAnswered = true;
    if (!complete) {
      this.isAfterGap = true;
      this.isSettled = false;
      this.told({state: "gap", reason: "lost"});
    }
  }

  /** @internal */
  live(partial: boolean): void {
    if (!this.areLimitsTold) {
      this.capped({}); // a new connection, or node, would have told of caps before
    }
    this.isSettled = this.isAnswered = true;
    this.registers = 0;
    if (partial) {
      this.told({state: "gap", reason: "partial"});
    }
    this.restate();
    this.changes?.live();
  }

  /** @internal */
  feed(isCutOff: boolean): void {
    this.isCutOff = isCutOff;
    this.restate();
  }

  /** @internal */
  connected(state: CoreFeed["state"]): void {
    if (state === "connecting" || state === "waiting") {
      // A new connection says anew whether the feed behind the node is cut off.
      this.isSettled = this.isAnswered = this.isCutOff = this.areLimitsTold = false;
      this.registers = 1;
      this.changes?.lost();
    }
    this.wasConnected ||= state === "live";
    this.isConnected = state === "live";
    this.restate();
    if (this.isConnected && this.isSettled) {
      this.changes?.live(); // what was asked while nothing was heard
    }
  }

  /** @internal */
  updated(caps: Caps): void {
    if (this.changes?.isAwaited) {
      this.capped(caps);
      this.changes.taken();
    }
  }

  /** @internal The node is asked once more for the registration. */
  asked(): void {
    this.registers++;
  }

  /** @internal How many refusals of it, and of its update, may be on their way. */
  get unanswered(): number {
    return this.registers + (this.changes?.isAwaited ? 1 : 0);
  }

  /** @internal */
  refused(reason: string, message: string): boolean {
    return this.changes?.refused(reason, message) ?? false;
  }

  /** @internal */
  capped(caps: Caps): void {
    this.areLimitsTold = true;
    if (JSON.stringify(caps) !== JSON.stringify(this.limits)) {
      this.limits = caps;
      this.options.onCapped?.(caps);
    }
  }

  /** @internal */
  topic(age: TopicAge): void {
    this.options.onTopic?.(age);
  }

  /** @internal */
  relay(status: Status): void {
    if (status.state === "closed") {
      this.unregister();
      this.end(status.reason ? new FeedError(status.reason, status.message, status.code) : undefined);
    } else if (status.state === "gap" && status.reason === "slow_consumer" && this.endAsSlow) {
      this.endAsSlow("the worker has passed over records, since this tab took none for too long");
    } else {
      this.told(status);
    }
  }

  /** @internal */
  end(failure?: FeedError): void {
    this.queue.end(failure);
    const {code = 0, reason = "", message = ""} = failure ?? {};
    this.told({state: "closed", code, reason, message});
  }

  private restate(): void {
    const next: Status = this.isCutOff
      ? {state: "stale", reason: "feed"}
      : this.wasConnected && !this.isConnected
        ? {state: "stale", reason: "connection"}
        : {state: this.isSettled ? "live" : "joining"};
    const {now} = this;
    const isSame = now.state === next.state && (now.state !== "stale" || next.state !== "stale" || now.reason === next.reason);
    if (!isSame) {
      this.told(next);
    }
  }

  private told(status: Status): void {
    if (this.now.state !== "closed") {
      this.now = status;
      if (status.state === "closed") {
        this.changes?.end(new FeedError(status.reason || "closed", status.message || "it is over", status.code));
      }
      this.options.onStatus?.(status);
    }
  }
}
