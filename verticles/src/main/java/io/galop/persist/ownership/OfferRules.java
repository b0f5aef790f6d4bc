package io.galop.persist.ownership;

import io.galop.persist.ownership.OwnershipRules.Next;
import io.galop.persist.ownership.ShardEffect.AcceptOffer;
import io.galop.persist.ownership.ShardEffect.LookAgain;
import io.galop.persist.ownership.ShardEffect.RefuseOffer;
import io.galop.persist.ownership.ShardEffect.Say;
import io.galop.persist.ownership.ShardEffect.TellHeard;
import io.galop.persist.ownership.ShardEvent.Offered;
import io.galop.persist.ownership.ShardState.Owning;
import io.galop.persist.ownership.ShardState.Waiting;
import java.util.Map;
import java.util.Set;

/** The part of {@link OwnershipRules} about nodes that offer what they have placed. Pure. */
final class OfferRules {
  private OfferRules() {}

  static Next onOffered(ShardState state, Offered offer) {
    Known known = state.known();
    if (known.isEnding() || !offer.present().contains(offer.holder())) {
      return Next.of(state, new RefuseOffer(offer.request()));
    }
    AcceptOffer accept = new AcceptOffer(offer.request());
    if (state instanceof Owning owning) {
      return isNews(owning, offer)
          ? onNews(owning, offer).and(accept)
          : Next.of(state, tellAgain(owning, offer), accept);
    }
    return offer.isLeaving() && state instanceof Waiting
        ? OwnershipRules.takeOver(state.with(known.leftBy(offer.holder(), offer.present())))
            .and(accept)
        : Next.of(state, accept);
  }

  /** Two nodes hold the shard. A leaver is asked before it has gone, whoever seems to own it. */
  private static Next onNews(Owning state, Offered offer) {
    Known known = state.known().withOthers(Set.of(offer.holder()));
    Say say = new Say(true, "is also held by node " + offer.holder() + ", taking it over");
    return offer.isLeaving()
        ? OwnershipRules.takeOver(state.with(known.leftBy(offer.holder(), offer.present())))
            .after(say)
        : Next.of(state.with(known), say, new LookAgain());
  }

  private static TellHeard tellAgain(Owning state, Offered offer) {
    Long heard = state.heard().get(offer.holder());
    return new TellHeard(state.epoch(), Map.of(offer.holder(), heard));
  }

  /** An offer may have been on its way while this node asked its sender for the shard. */
  private static boolean isNews(Owning owning, Offered offer) {
    Long seen = owning.heard().get(offer.holder());
    return seen == null || offer.epoch() > seen;
  }
}
