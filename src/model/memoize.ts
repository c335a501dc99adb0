/**
 * Caches a function of an object that does not change, such as a schema or a change. The cache does not keep the object
 * alive.
 */
export function memoize<K extends object, T>(compute: (key: K) => T): (key: K) => T {
  const cache = new WeakMap<K, { value: T }>();
  return (key) => {
    let cached = cache.get(key);
    if (!cached) {
      cached = { value: compute(key) };
      cache.set(key, cached);
    }
    return cached.value;
  };
}
