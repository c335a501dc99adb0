/** Thrown where a file turns out to hold what is not read the quick way. */
export const unusual = Symbol('unusual');
