import type { Repository, Tracking } from './repository.ts';

/** The answers that one run has had from git. */
interface Asked {
  /** By the top of the work tree. */
  repositories: Map<string, Promise<Repository>>;
  tracking?: Tracking;
}

const asked = new WeakMap<object, Asked>();

/**
 * From now on what is asked of git with this environment is asked once: a run opens each repository once, and asks of each file once
 * whether git tracks it, whichever of its stacks and stores wants to know. Gives back how to forget it all, at the end of the run.
 */
export function rememberFor(env: Record<string, string | undefined>): () => void {
  asked.set(env, { repositories: new Map() });
  return () => asked.delete(env);
}

/** The answers for this environment; undefined outside of a run. */
export const askedBy = (env: Record<string, string | undefined>): Asked | undefined => asked.get(env);
