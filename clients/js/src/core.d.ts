import type {Caps} from "./types.js";

/** What webroot/galop.js offers; see its first comment. */
export interface CoreDetail {
  transport: string;
  attempt: number;
  lostAt: number;
  retryAt: number;
  code: number;
  reason: string;
  word: string;
}

export interface CorePosition {
  shard: string;
  epoch: string;
  offset: string;
}

export interface CoreRecord {
  topic: string;
  filter: string;
  id: string;
  time: number;
  data: unknown;
  position: CorePosition | null;
  received: number;
  ageMs?: number;
  stale: boolean;
  catchingUp: boolean;
}

export interface CoreRefusal {
  body: string;
  message: string;
  address?: string;
  failureType?: string;
}

export interface CoreFeed {
  state: "" | "connecting" | "live" | "silent" | "waiting" | "closed";
  detail: CoreDetail;
  registrations: {[filter: string]: {headers: object; onrecord: (record: CoreRecord) => void}};
  onstate?: (state: Exclude<CoreFeed["state"], "">, detail: CoreDetail) => void;
  onresumed?: (filter: string, complete: boolean) => void;
  onlive?: (filter: string, partial: boolean) => void;
  onstale?: (filter: string) => void;
  onfresh?: (filter: string) => void;
  ontopicstale?: (topic: string, filter: string) => void;
  ontopicfresh?: (topic: string, filter: string) => void;
  oncapped?: (filter: string, caps: Caps) => void;
  onupdated?: (filter: string, caps: Caps) => void;
  onerr?: (refusal: CoreRefusal) => void;
  register(filter: string, headers: object, onrecord: (record: CoreRecord) => void): void;
  unregister(filter: string): void;
  reconnect(): void;
  close(): void;
}

export interface Core {
  connect(url: string, options: {again?: (code: number) => boolean; shown?: boolean}): CoreFeed;
}

export default function core(socket: new (url: string) => unknown): Core;
