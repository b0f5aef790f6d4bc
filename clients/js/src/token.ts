/** A token, or what gives one: asked for each connection, and before the one in use expires. */
export type TokenSource = string | (() => string | Promise<string>);

const MAX_DELAY_MS = 2_000_000_000;
const LEAST_DELAY_MS = 1_000;
const RETRY_DELAY_MS = 10_000;

/** What a source has given; empty if that is no text, as of a program that is not checked by types. */
export function textOf(given: unknown): string {
  return typeof given === "string" ? given : "";
}

/** When a JSON Web Token expires, in milliseconds since 1970; undefined for any other text. */
export function expiryMs(token: string): number | undefined {
  try {
    const payload = token.split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/");
    const expires: unknown = JSON.parse(atob(payload)).exp;
    return typeof expires === "number" ? expires * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Renews the token of one open connection until it is stopped. An answer does not say which token it is about, so one
 * is in flight at a time: the next is asked for after the answer, and is then the newest.
 */
export class Renewal {
  private inFlight: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isStopped = false;

  /**
   * @param source what gives tokens
   * @param taken what the node has, which the connection was opened with
   * @param send hands one to the node
   */
  constructor(
    private readonly source: () => string | Promise<string>,
    private taken: string,
    private readonly send: (token: string) => void,
  ) {
    this.schedule();
  }

  /** Whether a token waits for the node's answer. */
  get isAwaited(): boolean {
    return this.inFlight !== undefined;
  }

  /** The node has taken or refused the token that is in flight. */
  answered(isTaken: boolean): void {
    if (this.inFlight === undefined) {
      return;
    }
    const answered = this.inFlight;
    this.inFlight = undefined;
    if (isTaken) {
      this.taken = answered;
      this.schedule();
    } else {
      this.again();
    }
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** At four fifths of what is left of it. */
  private schedule(): void {
    const expires = expiryMs(this.taken);
    if (expires !== undefined) {
      this.after((expires - Date.now()) * 0.8);
    }
  }

  /** Before the one that the node has expires; if none comes in time, it ends the connection and says why. */
  private again(): void {
    const expires = expiryMs(this.taken) ?? 0;
    this.after(Math.min(RETRY_DELAY_MS, (expires - Date.now()) / 4));
  }

  private after(delayMs: number): void {
    clearTimeout(this.timer);
    if (!this.isStopped) {
      const delay = Math.min(MAX_DELAY_MS, Math.max(LEAST_DELAY_MS, delayMs));
      this.timer = setTimeout(() => void this.renew(), delay);
    }
  }

  private async renew(): Promise<void> {
    let token = this.taken;
    try {
      token = textOf(await this.source());
    } catch {
      // Asked again, as if it had none.
    }
    if (token === "" || token === this.taken) {
      this.again();
    } else if (!this.isStopped) {
      this.inFlight = token;
      this.send(token);
    }
  }
}
