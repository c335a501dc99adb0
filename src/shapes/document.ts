import { plain } from '../kind/plain.ts';
import type { Shape, WholeDocument } from '../kind/shape.ts';

/** A collection that one request can write together with others, where what they are in is new; else each goes its own way. */
export const document = (whole: WholeDocument, inner: Shape = plain): Shape => ({
  ...inner,
  document: whole,
  words: (isHidden) => [...inner.words(isHidden), whole.doc],
});
