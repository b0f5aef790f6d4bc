// A hook for React: the latest record of each topic of a filter, and how far it can be believed.
import {useEffect, useState} from "react";
import {connect, type FeedRecord, share, type Status} from "galop-client";

const feed = share(connect("/live"));

export function useFeed<T>(filter: string): {records: ReadonlyMap<string, FeedRecord<T>>; status: Status} {
  const [records, setRecords] = useState<ReadonlyMap<string, FeedRecord<T>>>(new Map());
  const [status, setStatus] = useState<Status>({state: "joining"});
  useEffect(() => {
    const latest = new Map<string, FeedRecord<T>>();
    let frame = 0;
    // A page is painted at most once a frame, however many records come.
    const paint = () => {
      frame = 0;
      setRecords(new Map(latest));
    };
    const stop = feed.watch<T>(filter, {
      onRecord(record) {
        latest.set(record.topic, record);
        frame ||= requestAnimationFrame(paint);
      },
      onStatus(next) {
        if (next.state === "gap" && next.reason === "lost") {
          latest.clear();
        }
        setStatus(next);
      },
    });
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }, [filter]);
  return {records, status};
}
