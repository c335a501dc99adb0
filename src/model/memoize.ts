/** Caches an answer about an object that does not change, and is asked about again and again: a schema, a group of changes. */
export function memoize<K extends object, T>(find: (about: K) => T): (about: K) => T {
  const answers = new WeakMap<K, { is: T }>();
  return (about) => {
    let answer = answers.get(about);
    if (!answer) {
      answer = { is: find(about) };
      answers.set(about, answer);
    }
    return answer.is;
  };
}
