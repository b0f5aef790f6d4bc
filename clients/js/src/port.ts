import type {FeedRecord, Status, TopicAge} from "./types.js";

/** What a tab asks of the worker; numbers name what it watches. */
export type FromTab =
  | {readonly hello: string}
  | {readonly watch: number; readonly filter: string}
  | {readonly stop: number};

/** What the worker answers. */
export interface ToTab {
  readonly to: number;
  readonly record?: FeedRecord;
  readonly status?: Status;
  readonly topic?: TopicAge;
}
