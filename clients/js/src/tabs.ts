import {type FromTab, TOOK_EVERY, type ToTab} from "./port.js";
import {Subscription} from "./subscription.js";
import type {SubscribeOptions} from "./types.js";

type TabOptions<T> = Omit<SubscribeOptions<T>, "snapshot" | "mode" | "maxRate" | "maxBytesPerSecond" | "where" | "fields">;

/** A tab's share of the connection that a SharedWorker has. */
export interface TabFeed {
  /** Watches a filter, with a snapshot; also one that this or another tab watches already. */
  subscribe<T = unknown>(filter: string, options?: TabOptions<T>): Subscription<T>;
}

/** Joins the worker whose script calls `serveTabs`. */
export function openTabs(worker: SharedWorker): TabFeed {
  const subscriptions = new Map<number, Subscription<any>>();
  const {port} = worker;
  const send = (message: FromTab) => port.postMessage(message);
  let last = 0;
  const untold = new Map<number, number>();
  /** The worker keeps back what a tab has no room for. */
  const took = (number: number) => {
    const messages = (untold.get(number) ?? 0) + 1;
    untold.set(number, messages % TOOK_EVERY);
    if (messages === TOOK_EVERY) {
      send({took: messages, of: number});
    }
  };
  port.onmessage = ({data: {to, record, status, topic, caps}}: MessageEvent<ToTab>) => {
    const subscription = subscriptions.get(to);
    try {
      if (record) {
        subscription?.accept(record);
      } else if (status) {
        subscription?.relay(status);
      } else if (topic) {
        subscription?.topic(topic);
      } else if (caps) {
        subscription?.capped(caps);
      }
    } finally {
      if (subscriptions.has(to)) {
        took(to); // also what a callback has thrown at
      }
    }
  };
  port.start();
  const name = `galop-${crypto.randomUUID()}`;
  // Held for as long as this tab lives: when the worker gets it, the tab is gone.
  void navigator.locks.request(name, () => {
    send({hello: name});
    return new Promise(() => {});
  });
  return {
    subscribe<T>(filter: string, options: TabOptions<T> = {}) {
      const number = ++last;
      const subscription = new Subscription<T>(filter, options, () => {
        subscriptions.delete(number);
        untold.delete(number);
        send({stop: number});
      });
      subscriptions.set(number, subscription);
      send({watch: number, filter});
      return subscription;
    },
  };
}
