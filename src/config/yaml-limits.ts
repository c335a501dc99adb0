/** How deep lists and maps may stand in each other. */
export const maxDepth = 100;

/** How many values the aliases of a document may stand for. */
export const maxExpansion = 100_000;
