import type {Caps, FeedRecord, Status, TopicAge} from "./types.js";

/** What a tab asks of the worker; numbers name what it watches. */
export type FromTab =
  | {readonly hello: string}
  | {readonly watch: number; readonly filter: string}
  /** It has dealt with so many messages of what it watches. */
  | {readonly took: number; readonly of: number}
  | {readonly stop: number};

/** What the worker answers. */
export interface ToTab {
  readonly to: number;
  readonly record?: FeedRecord;
  readonly status?: Status;
  readonly topic?: TopicAge;
  readonly caps?: Caps;
}

/** Most messages of a filter that are on their way to a tab and that it has not dealt with. */
export const MAX_UNTAKEN = 1_024;

/** After so many a tab says that it has dealt with them. */
export const TOOK_EVERY = 256;
