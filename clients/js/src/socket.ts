import {Renewal, textOf, type TokenSource} from "./token.js";
import {FeedError} from "./types.js";

/** What a browser's WebSocket, the package `ws` and SockJS have in common. */
export interface Socket {
  onopen: ((event: any) => void) | null;
  onmessage: ((event: any) => void) | null;
  onclose: ((event: any) => void) | null;
  onerror?: ((event: any) => void) | null;
  send(text: string): void;
  close(): void;
}

export type WebSocketClass = new (url: string) => Socket;
export type SockJsClass = new (url: string, protocols?: null, options?: {transports?: string[]}) => Socket;

/** Where to connect to, and with what. */
export interface DoorOptions {
  readonly url: string;
  readonly token?: TokenSource | undefined;
  readonly webSocket?: WebSocketClass | undefined;
  readonly sockjs?: SockJsClass | undefined;
  readonly transports?: string[] | undefined;
}

/** What the end of a connection tells the core; see `onClose` of galop.js. */
interface End {
  code?: number;
  reason?: string;
  body?: string;
  failureCode?: number;
  message?: string;
  isFinal?: boolean;
  retryAfterMs?: number;
}

const ASK_MS = 5_000;
const ANSWER_MS = 60_000;

async function webSocketClass(): Promise<WebSocketClass> {
  if (globalThis.WebSocket) {
    return globalThis.WebSocket as unknown as WebSocketClass;
  }
  const name = "ws"; // a variable, so that bundlers for browsers do not look for it
  try {
    return (await import(/* @vite-ignore */ name)).default as WebSocketClass;
  } catch {
    throw new Error("this version of Node.js has no WebSocket: install the package ws, or pass options.webSocket");
  }
}

function httpUrl(url: string): string {
  const base = (globalThis as {location?: {href: string}}).location?.href;
  return new URL(url, base).href.replace(/^ws/, "http").replace(/\/$/, "");
}

function refused(status: number, text: string): FeedError {
  let said: {error?: unknown; reason?: unknown} = {};
  try {
    said = JSON.parse(text) ?? {};
  } catch {
    // It is of a balancer, not of a node.
  }
  const {error = `the node answers ${status}`, reason = `status_${status}`} = said;
  return new FeedError(String(reason), String(error), status);
}

/** Opens sockets, each with a token that is asked for then. */
export class Door {
  private readonly url: string;

  constructor(private readonly options: DoorOptions) {
    this.url = httpUrl(options.url);
  }

  async token(): Promise<string> {
    const source = this.options.token;
    return textOf(typeof source === "function" ? await source() : source);
  }

  /** Whether another connection may have another token. */
  get isRenewable(): boolean {
    return typeof this.options.token === "function";
  }

  renewal(token: string, send: (token: string) => void): Renewal | undefined {
    const source = this.options.token;
    return typeof source === "function" ? new Renewal(source, token, send) : undefined;
  }

  /**
   * Asks the node that the feed is of about something beside it, such as `history/…`, and waits for the whole answer.
   *
   * @throws FeedError with the node's words, or `unavailable` if there is no answer
   */
  async ask(path: string): Promise<{headers: Headers; text: string}> {
    try {
      const token = await this.token();
      const answer = await fetch(`${this.url.slice(0, this.url.lastIndexOf("/"))}/${path}`, {
        signal: AbortSignal.timeout(ANSWER_MS),
        headers: {Accept: "application/x-ndjson", ...(token ? {Authorization: `Bearer ${token}`} : {})},
      });
      const text = await answer.text();
      if (!answer.ok) {
        throw refused(answer.status, text);
      }
      return {headers: answer.headers, text};
    } catch (failure) {
      if (failure instanceof FeedError) {
        throw failure;
      }
      throw new FeedError("unavailable", failure instanceof Error ? failure.message : String(failure));
    }
  }

  private static query(token: string): string {
    return token ? `?token=${encodeURIComponent(token)}` : "";
  }

  async dial(token: string): Promise<Socket> {
    const {sockjs, transports} = this.options;
    if (sockjs) {
      return new sockjs(this.url + Door.query(token), null, transports ? {transports} : {});
    }
    const open = this.options.webSocket ?? (await webSocketClass());
    return new open(`${this.url.replace(/^http/, "ws")}/websocket${Door.query(token)}`);
  }

  /** Browsers do not say why a websocket did not open; the node does, to who asks. */
  async whyRefused(token: string): Promise<End> {
    try {
      const signal = AbortSignal.timeout(ASK_MS);
      const answer = await fetch(`${this.url}/info${Door.query(token)}`, {signal});
      if (answer.ok) {
        return {};
      }
      const {error, reason} = (await answer.json()) as {error?: string; reason?: string};
      const seconds = Number(answer.headers.get("Retry-After"));
      return {
        failureCode: answer.status,
        body: reason ?? "",
        message: error ?? `the node answers ${answer.status}`,
        isFinal: answer.status === 403 || (answer.status === 401 && !this.isRenewable),
        ...(seconds > 0 ? {retryAfterMs: seconds * 1000 * (0.75 + Math.random() / 2)} : {}),
      };
    } catch {
      return {};
    }
  }
}

/** One connection, as the core takes it: the constructor begins to open it. */
export class ViewerSocket {
  onopen: ((event: unknown) => void) | null = null;
  onmessage: ((event: {data: string}) => void) | null = null;
  onclose: ((event: End) => void) | null = null;
  private socket: Socket | undefined;
  private renewal: Renewal | undefined;
  private isClosed = false;

  constructor(
    private readonly door: Door,
    private readonly onToken: (reason: string, message: string) => void,
  ) {
    void this.open();
  }

  private async open(): Promise<void> {
    try {
      const token = await this.door.token();
      const socket = this.isClosed ? undefined : await this.door.dial(token);
      if (socket && this.isClosed) {
        socket.close();
      } else if (socket) {
        this.listen(socket, token);
      }
    } catch (failure) {
      this.end({code: 0, reason: failure instanceof Error ? failure.message : String(failure)});
    }
  }

  private listen(socket: Socket, token: string): void {
    let isOpen = false;
    this.socket = socket;
    socket.onopen = (event) => {
      isOpen = true;
      this.renewal = this.door.renewal(token, (next) => this.renew(next));
      this.onopen?.(event);
    };
    socket.onmessage = (event) => this.message(String(event.data));
    socket.onerror = () => {}; // a close event follows
    socket.onclose = async (event: {code?: number; reason?: string}) => {
      this.renewal?.stop();
      const why = isOpen || this.isClosed ? {} : await this.door.whyRefused(token);
      this.end({code: event.code ?? 0, reason: String(event.reason ?? ""), ...why});
    };
  }

  private renew(token: string): void {
    this.send(JSON.stringify({type: "token", headers: {token}}));
  }

  private message(text: string): void {
    if (this.renewal && (text.startsWith('{"type":"token"') || text.startsWith('{"type":"err"'))) {
      const {type, body, message, address, failureType} = JSON.parse(text) as {[name: string]: string};
      // With an address it is about a registration, as a farewell about the connection.
      const isOther = address !== undefined || failureType === "disconnect";
      // Nothing else that is sent here and has no address is refused for its headers.
      const isHeader = body === "invalid_header" && this.renewal.isAwaited;
      const isRefused = type === "err" && !isOther && (isHeader || /^(token_|keys_awaited)/.test(String(body)));
      if (type === "token" || isRefused) {
        this.renewal.answered(!isRefused);
        this.onToken(isRefused ? (body ?? "") : "", message ?? "");
      }
    }
    this.onmessage?.({data: text});
  }

  private end(event: End): void {
    if (!this.isClosed) {
      this.isClosed = true;
      this.onclose?.(event);
    }
  }

  send(text: string): void {
    this.socket?.send(text);
  }

  close(): void {
    this.isClosed = true;
    this.renewal?.stop();
    this.socket?.close();
  }
}
