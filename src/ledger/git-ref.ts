/** Encodes a stack's name so that git accepts it in a ref. Different names stay different. */
export const refName = (stack: string): string =>
  encodeURIComponent(stack).replace(/[.!~*'()]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);

/** The ref with the ownership index. No stack has such a name. */
export const ownershipRef = 'refs/trueup/_ownership';

/** Returns the ref with the documents of a stack. For `*` it is the pattern of all such refs. */
export const refOfStack = (stack: string): string => `refs/trueup/${stack === '*' ? stack : refName(stack)}`;
