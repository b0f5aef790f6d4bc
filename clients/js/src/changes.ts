import {FeedError, type Wishes} from "./types.js";

/** Refusals of a change; the registration goes on as it was. */
const REFUSALS = new Set(["invalid_header", "max_handlers_reached", "not_registered"]);

export type Headers = {[name: string]: unknown};

interface Asked {
  readonly headers: Headers;
  readonly resolve: () => void;
  readonly reject: (why: FeedError) => void;
}

/** The wishes of one registration, and the change of them that the node has not answered. */
export class Changes {
  private asked: Asked | undefined;
  /** Over this connection: what the node refuses may be the change. */
  private isSaid = false;

  /**
   * @param headers those of the registration: what the node has taken is changed in them
   * @param say asks the node
   */
  constructor(
    private readonly headers: Headers,
    private readonly say: (headers: Headers) => void,
  ) {}

  /** Asks at once if the registration is live, else when it is. */
  ask(wishes: Wishes, isLive: boolean): Promise<void> {
    if (this.asked) {
      return Promise.reject(new FeedError("update_pending", "the node has not answered the update before"));
    }
    const headers: Headers = {};
    for (const [name, wish] of Object.entries(wishes)) {
      if (wish !== undefined) {
        headers[name] = wish === null ? "" : String(wish); // a list is joined by commas
      }
    }
    const answer = new Promise<void>((resolve, reject) => (this.asked = {headers, resolve, reject}));
    this.isSaid = false;
    if (isLive) {
      this.live();
    }
    return answer;
  }

  /** The registration is answered: a change that is not said yet is, also again on a new connection. */
  live(): void {
    if (this.asked && !this.isSaid) {
      this.isSaid = true;
      this.say(this.asked.headers);
    }
  }

  /** The connection is lost. */
  lost(): void {
    this.isSaid = false;
  }

  /** Whether the node owes an answer; else what comes is one to an earlier registration of the filter. */
  get isAwaited(): boolean {
    return this.isSaid && this.asked !== undefined;
  }

  taken(): void {
    for (const [name, wish] of Object.entries(this.asked?.headers ?? {})) {
      this.headers[name] = wish === "" ? undefined : wish;
    }
    this.asked?.resolve();
    this.asked = undefined;
  }

  /** Whether what the node refuses is a change: then all stays as it was. */
  refused(reason: string, message: string): boolean {
    const isIt = this.isAwaited && REFUSALS.has(reason);
    if (isIt) {
      this.end(new FeedError(reason, message));
    }
    return isIt;
  }

  end(failure: FeedError): void {
    this.asked?.reject(failure);
    this.asked = undefined;
  }
}
