import type { BatchContext, Shape, WholeDocument } from '../kind/kind.ts';
import { plain } from '../kind/plain.ts';
import { stepOf, verbOf } from '../kind/step.ts';
import type { Draft, Step } from '../kind/write.ts';

/** Drafts the requests for all steps under one parent. It may use only the endpoints of the kind's verbs. */
type BatchWrites = (steps: Step[], context: BatchContext) => Draft[];

/**
 * Returns the shape of a kind whose changes go into few requests, because the platform takes several changes at once. `outcome`: reads the
 * outcome of each item from the answer.
 */
export const batch = (writes: BatchWrites, outcome?: Shape['outcome']): Shape => ({
  ...plain,
  outcome,
  words: () => ['Several changes are sent in one request where the platform supports it.'],
  arrange: ({ kind, changes: siblings }) => ({
    changes: siblings,
    draft: (changes, context) => {
      const steps = changes.flatMap((change) => {
        const verb = verbOf(change);
        return verb === undefined ? [] : [stepOf(kind, verb, change)];
      });
      return steps.length === 0 ? [] : writes(steps, context);
    },
  }),
});

/**
 * Returns a shape (form of a collection) for collections that one request can write together in a new container, such as the rules of a firewall. In
 * an existing container each collection is written separately.
 */
export const document = (wholeDocument: WholeDocument, inner: Shape = plain): Shape => ({
  ...inner,
  document: wholeDocument,
  words: (isHidden) => [...inner.words(isHidden), wholeDocument.doc],
});
