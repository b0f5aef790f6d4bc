import type {Feed} from "./feed.js";
import {share} from "./share.js";
import type {FromTab, ToTab} from "./port.js";

interface Port {
  onmessage: ((event: MessageEvent<FromTab>) => void) | null;
  postMessage(message: ToTab): void;
}

/**
 * Serves a feed to all tabs of a SharedWorker, over one connection. Call it in the worker's script; tabs use `openTabs`
 * of `galop-client/tabs`. A tab that is gone is forgotten by its lock.
 */
export function serveTabs(feed: Feed<any>, options: {maxTopics?: number} = {}): void {
  const shared = share(feed, options);
  const scope = globalThis as unknown as {onconnect: (event: {ports: readonly Port[]}) => void};
  scope.onconnect = (event) => event.ports.forEach((port) => serve(port, shared));
}

function serve(port: Port, shared: ReturnType<typeof share>): void {
  const stops = new Map<number, () => void>();
  port.onmessage = ({data: asked}) => {
    if ("hello" in asked) {
      void navigator.locks.request(asked.hello, () => {
        stops.forEach((stop) => stop());
        stops.clear();
      });
    } else if ("watch" in asked) {
      const to = asked.watch;
      const stop = shared.watch(asked.filter, {
        onRecord: (record) => port.postMessage({to, record}),
        onStatus: (status) => port.postMessage({to, status}),
        onTopic: (topic) => port.postMessage({to, topic}),
      });
      stops.set(to, stop);
    } else {
      stops.get(asked.stop)?.();
      stops.delete(asked.stop);
    }
  };
}
