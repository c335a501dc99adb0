/**
 * Returns a function which computes a result once for each object, such as a schema or a change, because plans ask for it repeatedly. The object must
 * not change. The cache does not keep it alive.
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
