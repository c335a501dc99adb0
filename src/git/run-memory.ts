/** By the environment of a run: results of git that the run uses again, by name. */
const memoryByRun = new WeakMap<object, Map<string, unknown>>();

/**
 * Starts a run's memory of what git answered. From now on `rememberInRun` returns the same value for the same environment object, so that a
 * run opens each repository once and asks once whether git tracks a file, although its stacks and stores all want to know. Returns a
 * function that ends the memory. Every start of the tool loads this file, so it imports nothing.
 */
export function startRunMemory(env: Record<string, string | undefined>): () => void {
  memoryByRun.set(env, new Map());
  return () => memoryByRun.delete(env);
}

/**
 * Returns the value with this name that belongs to the run with this environment, and creates it at the first call,
 * so that a run opens each git repository only once. Outside of a run each call creates one.
 */
export function rememberInRun<T>(env: Record<string, string | undefined>, name: string, create: () => T): T {
  const memory = memoryByRun.get(env);
  if (!memory) return create();
  if (!memory.has(name)) memory.set(name, create());
  return memory.get(name) as T;
}
