/** By the environment of a run: what it has asked of git, under the names of the questions. */
const rememberedRuns = new WeakMap<object, Map<string, unknown>>();

/**
 * From now on what is asked of git with this environment is asked once: a run opens each repository once, and asks of each file once
 * whether git tracks it, whichever of its stacks and stores wants to know. Returns a function that forgets it all, for the end of the run.
 * Loaded by every start of the tool, so it loads nothing itself.
 */
export function startRunMemory(env: Record<string, string | undefined>): () => void {
  rememberedRuns.set(env, new Map());
  return () => rememberedRuns.delete(env);
}

/** Returns what the run with this environment remembers under a name: made at the first call, or at each call outside of a run. */
export function rememberInRun<T>(env: Record<string, string | undefined>, name: string, make: () => T): T {
  const run = rememberedRuns.get(env);
  if (!run) return make();
  if (!run.has(name)) run.set(name, make());
  return run.get(name) as T;
}
