import type { Draft } from '../kind/draft.ts';
import { plain } from '../kind/plain.ts';
import type { BatchContext, Shape, WholeDocument } from '../kind/shape.ts';
import { type Step, stepOf, verbOf } from '../kind/step.ts';

/** All steps under one parent at once: to the endpoints of the verbs, and to no others. */
type BatchWrites = (steps: Step[], context: BatchContext) => Draft[];

/** Several changes go into one request where the platform takes that. */
export const batch = (writes: BatchWrites, outcome?: Shape['outcome']): Shape => ({
  ...plain,
  ...(outcome ? { outcome } : {}),
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

/** A collection that one request can write together with others, where what they are in is new; else each goes its own way. */
export const document = (wholeDocument: WholeDocument, inner: Shape = plain): Shape => ({
  ...inner,
  document: wholeDocument,
  words: (isHidden) => [...inner.words(isHidden), wholeDocument.doc],
});
