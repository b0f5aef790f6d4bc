import type {Door} from "./socket.js";
import {FeedError, type FeedRecord} from "./types.js";

/** Of which event times; all of them when absent. A number is in microseconds since 1970, both ends are included. */
export interface Stretch {
  readonly from?: Date | string | number;
  readonly to?: Date | string | number;
  /** The `next` of a page: what lies behind it. */
  readonly after?: string;
}

export interface HistoryQuery extends Stretch {
  /** Most records of one page; as many as the node gives by itself (1,000) when absent. */
  readonly limit?: number;
  /** By time and id; "asc" when absent. */
  readonly order?: "asc" | "desc";
}

/** Rows: one for each topic and stretch of time in which there is a value. */
export interface RowQuery extends Stretch {
  /** How long a stretch is, such as "1m": from "1s" to "1d". */
  readonly every: string;
  /** Of which numbers of the data: up to 8 paths, such as "motor.rpm". */
  readonly fields: readonly string[];
  /** What a row has of each field; all when absent. */
  readonly agg?: readonly (keyof Aggregates)[];
  /** Most rows of one page. */
  readonly limit?: number;
}

/** So many values of each topic that look like all of them on a plot. */
export interface PointQuery extends Omit<Stretch, "after"> {
  readonly points: number;
  readonly fields: readonly string[];
}

export type PastRecord<T = unknown> = Pick<FeedRecord<T>, "topic" | "id" | "time" | "data" | "position">;

interface Page {
  /** What did not answer: nodes, and stores as `node/store`; empty if this is all there is. */
  readonly incomplete: string;
  /** The `after` of the next page; empty if there is none. */
  readonly next: string;
}

export interface HistoryPage<T = unknown> extends Page {
  readonly records: readonly PastRecord<T>[];
}

/** Of the values of a field in a row; null where a number is too large for a double. */
export interface Aggregates {
  readonly min?: number | null;
  readonly max?: number | null;
  readonly avg?: number | null;
  readonly last?: number | null;
  readonly count?: number;
}

/** `V`: what it has of each field. */
export interface Row<V> {
  readonly topic: string;
  /** When its stretch begins, or the time of a point: microseconds since 1970 UTC. */
  readonly time: number;
  readonly data: {readonly [field: string]: V};
  /** The limits of the question, or the present, cut its stretch. */
  readonly part: boolean;
}

export interface RowPage<V = Aggregates> extends Page {
  readonly rows: readonly Row<V>[];
  /** Of so many values only the extremes of equal parts were considered; for points. */
  readonly reduced: boolean;
}

type Query = Partial<HistoryQuery & RowQuery & PointQuery>;
type Answer = Awaited<ReturnType<Door["ask"]>>;

function path(filter: string, query: Query, after: string | undefined): string {
  const levels = filter.split("/");
  if (levels.includes(".") || levels.includes("..")) {
    // Also percent-encoded they are steps to fetch, and another topic would be asked for.
    throw new FeedError("invalid_address", `the levels '.' and '..' of '${filter}' cannot be in an address of the history`);
  }
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({...query, after})) {
    if (value instanceof Date) {
      parameters.set(name, value.toISOString());
    } else if (value !== undefined) {
      parameters.set(name, String(value)); // a list is joined by commas
    }
  }
  const asked = parameters.toString();
  return `history/${levels.map(encodeURIComponent).join("/")}${asked && "?"}${asked}`;
}

/** What stands in an answer of a node, a line each. */
function lines({text}: Answer): any[] {
  try {
    const all = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    if (all.every((each) => typeof each?.topic === "string")) {
      return all;
    }
  } catch {
    // as if it were of something else
  }
  const begin = text.slice(0, 100);
  throw new FeedError("invalid_answer", `the answer is no NDJSON of records, as a node's is: ${begin}`, 200);
}

async function* pages<P extends Page>(
  door: Door,
  filter: string,
  query: Query,
  read: (answer: Answer) => P,
): AsyncIterableIterator<P> {
  let after = query.after;
  do {
    const page = read(await door.ask(path(filter, query, after)));
    after = page.next;
    yield page;
  } while (after);
}

/** Records, until a page has fewer than `limit`; without a limit, until one has none. */
export async function* recordPages(door: Door, filter: string, query: HistoryQuery): AsyncIterableIterator<HistoryPage<any>> {
  let isFirst = true;
  const read = (answer: Answer): HistoryPage<any> => {
    const records = lines(answer).map(
      ({topic, id, time, data, pos = ""}): PastRecord<any> => ({topic, id, time, data, position: pos}),
    );
    const last = records.at(-1);
    const next = last && records.length >= (query.limit ?? 1) ? `${last.time}:${last.id}\t${last.topic}` : "";
    return {records, next, incomplete: answer.headers.get("X-Galop-Incomplete") ?? ""};
  };
  for await (const page of pages(door, filter, query, read)) {
    if (isFirst || page.records.length > 0 || page.incomplete) {
      yield page;
    }
    isFirst = false;
  }
}

export function rowPages(door: Door, filter: string, query: RowQuery | PointQuery): AsyncIterableIterator<RowPage<any>> {
  return pages(door, filter, query, (answer) => ({
    rows: lines(answer).map(({topic, time, data, part}): Row<any> => ({topic, time, data, part: part === true})),
    incomplete: answer.headers.get("X-Galop-Incomplete") ?? "",
    next: decodeURIComponent((answer.headers.get("X-Galop-Next") ?? "").replaceAll("+", " ")),
    reduced: answer.headers.get("X-Galop-Reduced") === "true",
  }));
}
