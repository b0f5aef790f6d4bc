/** Of more filters, answers that are still on their way may end the next subscription. */
const MAX_FILTERS = 1_000;

/**
 * How many refusals may still come of subscriptions that have ended, for each filter and over one connection. A refusal
 * names the filter only. The node answers in the order in which it is asked, so these come first. It may be more than
 * come: of what is accepted and ended at once the node says nothing.
 */
export class Owed {
  private readonly counts = new Map<string, number>();

  add(filter: string, count: number): void {
    if (count === 0) {
      return;
    }
    if (!this.counts.has(filter) && this.counts.size >= MAX_FILTERS) {
      this.counts.clear();
    }
    this.counts.set(filter, (this.counts.get(filter) ?? 0) + count);
  }

  /** Whether a refusal may be an earlier subscription's; one less is owed then. */
  take(filter: string): boolean {
    const count = this.counts.get(filter) ?? 0;
    if (count > 1) {
      this.counts.set(filter, count - 1);
    } else {
      this.counts.delete(filter);
    }
    return count > 0;
  }

  /** The subscription of now is accepted: what was refused before has been said. */
  forget(filter: string): void {
    this.counts.delete(filter);
  }

  /** Another connection. */
  clear(): void {
    this.counts.clear();
  }
}
