/** Negative when the first lies before the second; only for Positions of one shard. */
export function comparePositions(one: string, other: string): number {
  const [shard, epoch, offset] = parts(one);
  const [otherShard, otherEpoch, otherOffset] = parts(other);
  if (shard !== otherShard) {
    throw new RangeError(`${one} and ${other} are of different shards, which have no order`);
  }
  return Number(epoch - otherEpoch) || Number(offset - otherOffset);
}

/** As whole numbers, which may be larger than a double holds exactly. */
function parts(position: string): [bigint, bigint, bigint] {
  const found = /^(\d+)\.(\d+)-(\d+)$/.exec(position);
  if (!found) {
    throw new RangeError(`'${position}' is no Position, <shard>.<epoch>-<offset>`);
  }
  return [BigInt(found[1]!), BigInt(found[2]!), BigInt(found[3]!)];
}
