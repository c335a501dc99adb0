import { ancestorsOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { WholeDocument } from '../kind/shape.ts';
import { type Step, stepOf, verbOf } from '../kind/step.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { groupBy } from '../model/graph.ts';
import { filled, type Lowered } from './lower.ts';

/** A document in one container. */
interface Place {
  document: WholeDocument;
  /** The kind right below the container, which stands for the whole. */
  root: Kind;
  container: Address;
}

/**
 * Joins the drafts that write parts of a document into one, in a container that this plan makes, if that takes fewer requests.
 * Everything in such a container is ours, and nobody sees it half made.
 */
export function asDocuments(drafts: Lowered[], changes: Change[], kinds: Kinds): Lowered[] {
  const changeOf = new Map(changes.map((change) => [change.address, change]));
  const places = new Map<WholeDocument, Map<Address, Place>>();
  const placeOf = ({ kind, parent }: Lowered): Place | undefined => {
    const { document } = kind.shape;
    if (!document) return undefined;
    const above = ancestorsOf(kinds, kind, parent);
    const at = above.findIndex((one) => one.kind.lifecycle.container);
    const container = above[at]?.address;
    if (container === undefined || changeOf.get(container)?.action !== 'create') return undefined;
    const known = places.get(document) ?? new Map<Address, Place>();
    const place = known.get(container) ?? { document, root: above[at - 1]?.kind ?? kind, container };
    places.set(document, known.set(container, place));
    return place;
  };
  return [...groupBy(drafts, (draft) => placeOf(draft) ?? draft)].flatMap(([key, of]) => {
    if (!('document' in key) || of.some(({ problem }) => problem)) return of;
    const whole = wholeOf(key, of, changeOf, kinds);
    const count = (some: Lowered[]) => some.reduce((sum, { requests }) => sum + requests.length, 0);
    return count([whole]) < count(of) ? [whole] : of;
  });
}

function wholeOf(
  { document, root, container }: Place,
  parts: Lowered[],
  changeOf: ReadonlyMap<Address, Change>,
  kinds: Kinds,
): Lowered {
  const changes = [...new Set(parts.flatMap((part) => part.changes))].map(
    (address) => changeOf.get(address)!,
  );
  const steps = changes
    .sort((a, b) => (a.after?.index ?? 0) - (b.after?.index ?? 0))
    .map((change): [string, Step] => {
      const kind = kinds.get(change.kind)!;
      return [kind.name, stepOf(kind, verbOf(change)!, change)];
    });
  const byKind = new Map(
    [...groupBy(steps, ([name]) => name)].map(([name, of]) => [name, of.map(([, step]) => step)]),
  );
  const draft = document.write(byKind);
  return {
    ...draft,
    kind: root,
    parent: container,
    verb: 'create',
    requests: draft.requests.map((one) => filled(one, root, draft.changes[0]!, changes, container, kinds)),
  };
}
