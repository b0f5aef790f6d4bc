import {MAX_UNTAKEN, type ToTab} from "./port.js";
import type {Reader, SharedView} from "./share.js";
import type {Caps, FeedRecord, Status, TopicAge} from "./types.js";

type GapReason = (Status & {state: "gap"})["reason"];

/**
 * One filter on its way to one tab. At most 1,024 messages wait for a tab that does not take them. Beyond, only the names
 * of topics that have changed are kept, as many as the worker knows. When the tab takes again it gets the newest record
 * of each of these; if others were passed over, it is told a gap before, "slow_consumer". What comes before it has
 * caught up for the first time is its snapshot, and no gap.
 */
export class Outbox implements Reader {
  private untaken = 0;
  /** Topics to be told; true if there is a record, false if only how old it is has changed. */
  private readonly due = new Map<string, boolean>();
  private readonly toldSilent = new Set<string>();
  private readonly gaps = new Set<GapReason>();
  private isStatusDue = false;
  private areCapsDue = false;
  private isJoining = true;
  private isAfterGap = false;

  constructor(
    private readonly shared: SharedView,
    private readonly post: (message: Omit<ToTab, "to">) => void,
  ) {
    for (const topic of shared.silent) {
      this.due.set(topic, false);
    }
    for (const topic of shared.latest.keys()) {
      this.due.set(topic, true);
    }
    if (shared.isPartial) {
      this.gaps.add("partial");
    }
    this.areCapsDue = Object.keys(shared.caps).length > 0;
    this.onStatus(shared.status);
  }

  /** The tab has dealt with so many messages. */
  took(messages: number): void {
    this.untaken -= messages;
    this.pump();
  }

  onRecord(record: FeedRecord): void {
    if (this.hasRoom && this.due.size === 0) {
      this.sendRecord(record);
      return;
    }
    if (this.due.get(record.topic)) {
      this.missed();
    }
    this.isAfterGap ||= record.afterGap;
    this.due.set(record.topic, true);
    this.pump();
  }

  onForgotten(topic: string): void {
    if (this.due.get(topic)) {
      this.missed();
      this.dueAge(topic);
    }
  }

  onTopic(age: TopicAge): void {
    if (!this.due.get(age.topic)) {
      this.dueAge(age.topic);
    }
    this.pump();
  }

  onCapped(_: Caps): void {
    this.areCapsDue = true;
    this.pump();
  }

  onStatus(status: Status): void {
    if (status.state === "gap") {
      this.gaps.add(status.reason);
    } else {
      this.isStatusDue = true;
    }
    if (status.state === "gap" && status.reason === "lost" && this.shared.isLoadedAnew) {
      this.due.forEach((_, topic) => this.dueAge(topic)); // a snapshot follows
    } else if (status.state === "joining") {
      this.toldSilent.forEach((topic) => this.onTopic({topic, stale: false})); // which topics are is told anew
      this.due.forEach((hasRecord, topic) => hasRecord || this.dueAge(topic));
    }
    this.pump();
  }

  private get hasRoom(): boolean {
    return this.untaken < MAX_UNTAKEN;
  }

  /** Of the topic no record is due, only how old it is, if the tab has been told otherwise. */
  private dueAge(topic: string): void {
    if (this.shared.silent.has(topic) === this.toldSilent.has(topic)) {
      this.due.delete(topic);
    } else {
      this.due.set(topic, false);
    }
  }

  private missed(): void {
    if (!this.isJoining) {
      this.gaps.add("slow_consumer");
    } else if (this.shared.isPartial) {
      this.gaps.add("partial");
    }
  }

  private marked(record: FeedRecord): FeedRecord {
    const {isAfterGap} = this;
    this.isAfterGap = false;
    return isAfterGap ? {...record, afterGap: true} : record;
  }

  private sendRecord(record: FeedRecord): void {
    if (record.stale) {
      this.toldSilent.add(record.topic);
    }
    this.send({record: this.marked(record)});
  }

  private send(message: Omit<ToTab, "to">): void {
    this.untaken++;
    this.post(message);
  }

  /** Sends what is due, first what was missed and at last how far all of it can be believed, while there is room. */
  private pump(): void {
    while (this.hasRoom && this.sendNext());
  }

  private sendNext(): boolean {
    const [reason] = this.gaps;
    const [next] = this.due;
    if (this.areCapsDue) {
      this.areCapsDue = false;
      this.send({caps: this.shared.caps});
    } else if (reason) {
      this.gaps.delete(reason);
      this.isAfterGap ||= reason === "slow_consumer";
      this.isStatusDue = true;
      this.send({status: {state: "gap", reason}});
    } else if (next) {
      this.sendTopic(...next);
    } else {
      this.isJoining = false;
      return this.sendStatus();
    }
    return true;
  }

  /** Unless it is a gap, which is told when it comes; the next status follows. */
  private sendStatus(): boolean {
    const {status} = this.shared;
    const isDue = this.isStatusDue && status.state !== "gap";
    this.isStatusDue = false;
    if (isDue) {
      this.send({status});
    }
    return isDue;
  }

  /** The record first, then how old it is: the topic stays due in between. */
  private sendTopic(topic: string, hasRecord: boolean): void {
    const isSilent = this.shared.silent.has(topic);
    const record = hasRecord ? this.shared.latest.get(topic) : undefined;
    if (record) {
      this.due.set(topic, false);
      this.sendRecord({...record, catchingUp: true, stale: isSilent});
      return;
    }
    this.due.delete(topic);
    if (isSilent !== this.toldSilent.has(topic)) {
      this.toldSilent[isSilent ? "add" : "delete"](topic);
      this.send({topic: {topic, stale: isSilent}});
    }
  }
}
