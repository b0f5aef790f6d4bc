import type {Feed} from "./feed.js";
import {Outbox} from "./outbox.js";
import type {FromTab, ToTab} from "./port.js";
import {SharedFilters} from "./share.js";
import {FeedError, type Status} from "./types.js";

interface Port {
  onmessage: ((event: MessageEvent<FromTab>) => void) | null;
  postMessage(message: ToTab): void;
}

interface Watched {
  readonly reader: Outbox;
  readonly stop: () => void;
}

/**
 * Serves a feed to all tabs of a SharedWorker, over one connection. Call it in the worker's script; tabs use `openTabs`
 * of `galop-client/tabs`. A tab that is gone is forgotten by its lock, and one that takes nothing, since the browser has
 * frozen it, gets the newest of each topic when it takes again, and is told the gap.
 */
export function serveTabs(feed: Feed<any>, options: {maxTopics?: number} = {}): void {
  const shared = new SharedFilters(feed, options.maxTopics);
  const scope = globalThis as unknown as {onconnect: (event: {ports: readonly Port[]}) => void};
  scope.onconnect = (event) => event.ports.forEach((port) => serve(port, shared));
}

/** Of a filter that cannot be watched, such as after the end of the feed. */
function refused(failure: unknown): Status {
  const {reason = "closed", message = String(failure), code = 0} = failure instanceof FeedError ? failure : {};
  return {state: "closed", code, reason, message};
}

function serve(port: Port, shared: SharedFilters): void {
  const watched = new Map<number, Watched>();
  port.onmessage = ({data: asked}) => {
    if ("hello" in asked) {
      void navigator.locks.request(asked.hello, () => {
        watched.forEach(({stop}) => stop());
        watched.clear();
      });
    } else if ("watch" in asked) {
      const to = asked.watch;
      const post = (message: Omit<ToTab, "to">) => port.postMessage({to, ...message});
      try {
        watched.set(to, shared.read(asked.filter, (view) => new Outbox(view, post)));
      } catch (failure) {
        post({status: refused(failure)});
      }
    } else if ("took" in asked) {
      watched.get(asked.of)?.reader.took(asked.took);
    } else {
      watched.get(asked.stop)?.stop();
      watched.delete(asked.stop);
    }
  };
}
