import type {FeedRecord, QueuePolicy} from "./types.js";

type Taker<T> = {resolve: (result: IteratorResult<FeedRecord<T>>) => void; reject: (why: Error) => void};

/**
 * What has come and was not taken. It never holds more than `max` records; `policy` says what goes when one more comes.
 */
export class RecordQueue<T> {
  private readonly waiting = new Map<string | number, FeedRecord<T>>();
  private readonly takers: Taker<T>[] = [];
  private next = 0;
  private hasGap = false;
  private dropped = 0;
  private isEnded = false;
  private failure: Error | undefined;

  constructor(
    private readonly max: number,
    private readonly policy: QueuePolicy,
    /** Called when records begin to go; with the policy "end" the owner has to end. */
    private readonly onOverflow: () => void,
  ) {
    if (!Number.isInteger(max) || max < 1) {
      throw new RangeError(`queue.max must be a whole number from 1, not ${max}`);
    }
  }

  /** How many records went. */
  get missed(): number {
    return this.dropped;
  }

  put(record: FeedRecord<T>): void {
    if (this.isEnded) {
      return;
    }
    const taker = this.takers.shift();
    if (taker) {
      taker.resolve({value: this.marked(record), done: false});
      return;
    }
    const key = this.policy === "latest" ? record.topic : this.next++;
    const replaced = this.waiting.get(key);
    this.waiting.delete(key);
    if (this.waiting.size >= this.max) {
      this.overflow();
    }
    if (!this.isEnded) {
      // Else nobody would see that there was a gap before it.
      this.waiting.set(key, replaced?.afterGap ? {...record, afterGap: true} : record);
    }
  }

  private overflow(): void {
    const isTold = this.hasGap;
    if (this.policy !== "end") {
      const oldest = this.waiting.keys().next();
      this.waiting.delete(oldest.value!);
      this.hasGap = true;
      this.dropped++;
    }
    if (!isTold) {
      this.onOverflow();
    }
  }

  private marked(record: FeedRecord<T>): FeedRecord<T> {
    if (!this.hasGap) {
      return record;
    }
    this.hasGap = false;
    return {...record, afterGap: true};
  }

  take(): Promise<IteratorResult<FeedRecord<T>>> {
    for (const [key, record] of this.waiting) {
      this.waiting.delete(key);
      return Promise.resolve({value: this.marked(record), done: false});
    }
    if (this.failure) {
      return Promise.reject(this.failure);
    }
    if (this.isEnded) {
      return Promise.resolve({value: undefined, done: true});
    }
    return new Promise((resolve, reject) => this.takers.push({resolve, reject}));
  }

  /** What waits can still be taken; then comes the failure, or the end. */
  end(failure?: Error): void {
    if (this.isEnded) {
      return;
    }
    this.isEnded = true;
    this.failure = failure;
    for (const taker of this.takers.splice(0)) {
      if (failure) {
        taker.reject(failure);
      } else {
        taker.resolve({value: undefined, done: true});
      }
    }
  }

  /** Nobody takes any more. */
  discard(): void {
    this.waiting.clear();
    this.end();
  }
}
